import { Button } from '@patternfly/react-core';
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon';
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/copy-icon';
import { useContext, useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { CurrentValuesContext } from './current-values.ts';
import { COMMON_WORDS } from '../words/common.ts';
import { COPY_BUTTON_WORDS } from '../words/value-parts.ts';

const SHOWN_MS = 3_000;

type Result = 'copied' | 'unchecked' | 'failed';

/** What is shown of a copy, or only read out. */
const SHOWN: Readonly<Record<Result, string>> = {
  copied: '',
  unchecked: COPY_BUTTON_WORDS.unchecked,
  failed: COMMON_WORDS.noCopying,
};

/** Copies a value without showing it. */
export function CopyButton({ value, of }: { readonly value: string; readonly of: string }) {
  const whenCurrent = useContext(CurrentValuesContext);
  const [result, setResult] = useState<Result>();
  useEffect(() => {
    if (result === undefined) return;
    const timer = window.setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [result]);
  const copy = () =>
    whenCurrent((isChecked) => {
      copyText(value).then(
        () => setResult(isChecked ? 'copied' : 'unchecked'),
        () => setResult('failed'),
      );
    });
  const shown = result === undefined ? '' : SHOWN[result];
  return (
    <>
      <Button
        variant="plain"
        aria-label={COPY_BUTTON_WORDS.copy(of)}
        title={COPY_BUTTON_WORDS.copy(of)}
        icon={result === 'copied' || result === 'unchecked' ? <CheckIcon /> : <CopyIcon />}
        onClick={copy}
      />
      <span role="status" className={shown === '' ? 'pf-v6-screen-reader' : 'copy-note'}>
        {result === 'copied' ? COPY_BUTTON_WORDS.copied(of) : shown}
      </span>
    </>
  );
}
