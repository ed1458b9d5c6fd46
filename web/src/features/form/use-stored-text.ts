import { useState } from 'react';
import { textOf } from '../../../../src/contract/text.ts';
import { useCurrent } from '../../ui/use-current.ts';
import { whyUnread } from '../../api/unread-value.ts';
import type { Row } from '../../editing/draft.ts';
import { isStored, type Value } from '../../values/value.ts';

/**
 * Reads the stored text of a row, to be shown and edited.
 * @param onLoaded called unless another value has taken its place by then
 */
export function useStoredText(
  value: Value | undefined,
  onLoaded: (loaded: NonNullable<Row['loaded']>) => void,
) {
  const [note, setNote] = useState('');
  const latest = useCurrent(value);
  const load = async () => {
    if (!isStored(value)) return;
    setNote('Reading…');
    try {
      const text = textOf(await value.read()) ?? '';
      setNote('');
      if (latest.current === value) onLoaded({ of: value, text });
    } catch (error) {
      setNote(whyUnread(error));
    }
  };
  return { load, note };
}
