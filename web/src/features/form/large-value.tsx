import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { FileButton } from '../../ui/file-button.tsx';
import { MAX_DATA_BYTES } from '../../../../src/contract/limits.ts';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import { formatNumber } from '../../values/format.ts';
import { beginningOf, lineCount } from '../../values/large-text.ts';
import { lineEndings, type LineEndings } from '../../values/line-endings.ts';
import { readTextFile } from '../../values/text-file.ts';
import { COMMON_WORDS } from '../../words/common.ts';
import { LARGE_VALUE_WORDS } from '../../words/form.ts';

export interface LargeValueProps {
  readonly value: string;
  readonly what: string;
  readonly shown: boolean;
  readonly onShow: (shown: boolean) => void;
  /** As text, however long that takes the browser. */
  readonly onEdit: () => void;
  readonly onReplace: (value: string) => void;
}

const ENDINGS: Readonly<Record<LineEndings, string>> = {
  none: LARGE_VALUE_WORDS.noLineEndings,
  lf: LARGE_VALUE_WORDS.lineEndingsLf,
  crlf: LARGE_VALUE_WORDS.lineEndingsCrlf,
  mixed: LARGE_VALUE_WORDS.mixedLineEndings,
};

/** A value that no text field could hold with ease. It stays byte for byte until it is replaced. */
export function LargeValue({ value, what, shown, onShow, onEdit, onReplace }: LargeValueProps) {
  const [refused, setRefused] = useState('');
  const takeFile = async ([file]: readonly File[]) => {
    const read = file && (await readTextFile(file, MAX_DATA_BYTES));
    setRefused(read !== undefined && 'refused' in read ? read.refused : '');
    if (read !== undefined && 'text' in read) onReplace(read.text);
  };
  const name = (action: string) => LARGE_VALUE_WORDS.actionOf(action, what);
  return (
    <div className="large-value">
      <Facts value={value} />
      {shown && (
        <pre className="value" tabIndex={0} aria-label={LARGE_VALUE_WORDS.beginningOf(what)}>
          {beginningOf(value)}
        </pre>
      )}
      <div className="row-actions">
        <Button
          variant="link"
          isInline
          aria-label={name(shown ? COMMON_WORDS.hide : LARGE_VALUE_WORDS.show)}
          onClick={() => onShow(!shown)}
        >
          {shown ? COMMON_WORDS.hide : LARGE_VALUE_WORDS.showBeginning}
        </Button>
        <FileButton
          text={LARGE_VALUE_WORDS.replaceByFile}
          label={LARGE_VALUE_WORDS.fileFor(what)}
          variant="link"
          onFiles={(files) => void takeFile(files)}
        />
        <Button
          variant="link"
          isInline
          aria-label={name(LARGE_VALUE_WORDS.clear)}
          onClick={() => onReplace('')}
        >
          {LARGE_VALUE_WORDS.clear}
        </Button>
        <Button variant="link" isInline aria-label={name(LARGE_VALUE_WORDS.editAnyway)} onClick={onEdit}>
          {LARGE_VALUE_WORDS.editAnyway}
        </Button>
      </div>
      <p className="expired" aria-live="polite">
        {refused}
      </p>
    </div>
  );
}

function Facts({ value }: { readonly value: string }) {
  return (
    <p>
      {formatBytes(utf8Bytes(value))}, {LARGE_VALUE_WORDS.lines(formatNumber(lineCount(value)))},{' '}
      {ENDINGS[lineEndings(value)]}. <span className="hint">{LARGE_VALUE_WORDS.tooLarge}</span>
    </p>
  );
}
