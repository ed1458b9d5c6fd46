import { Button } from '@patternfly/react-core';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import { counted } from '../../values/format.ts';
import { beginningOf, lineCount, lineEndings, type LineEndings } from '../../values/lines.ts';
import { readFile, type FileValue } from '../../values/value.ts';
import { useState } from 'react';
import { MAX_DATA_BYTES } from '../../../../src/contract/limits.ts';
import { FileButton } from '../../ui/file-button.tsx';

export interface LargeValueProps extends ReplaceByFileProps {
  readonly value: string;
  readonly shown: boolean;
  readonly onShow: (shown: boolean) => void;
  /** As text, however long that takes the browser. */
  readonly onEdit: () => void;
}

const ENDINGS: Readonly<Record<LineEndings, string>> = {
  none: 'no line endings',
  lf: 'line endings LF',
  crlf: 'line endings CRLF',
  mixed: 'mixed line endings',
};

/** A value that no text field could hold with ease. It stays byte for byte until it is replaced. */
export function LargeValue({ value, what, shown, onShow, onEdit, onReplace }: LargeValueProps) {
  const button = (action: string, text: string, onClick: () => void) => (
    <Button variant="link" isInline aria-label={`${action} the value of ${what}`} onClick={onClick}>
      {text}
    </Button>
  );
  return (
    <div className="large-value">
      <p>
        {formatBytes(utf8Bytes(value))}, {counted(lineCount(value), 'line')}, {ENDINGS[lineEndings(value)]}.{' '}
        <span className="hint">
          Too large for a text field: clear it to type or paste another, or replace it with a file.
        </span>
      </p>
      {shown && (
        <pre className="value" tabIndex={0} aria-label={`Beginning of the value of ${what}`}>
          {beginningOf(value)}
        </pre>
      )}
      <div className="row-actions">
        {shown
          ? button('Hide', 'Hide', () => onShow(false))
          : button('Show', 'Show the beginning', () => onShow(true))}
        <ReplaceByFile what={what} onReplace={onReplace} />
        {button('Clear', 'Clear', () => onReplace(''))}
        {button('Edit anyway', 'Edit anyway', onEdit)}
      </div>
    </div>
  );
}

export interface ReplaceByFileProps {
  readonly what: string;
  readonly onReplace: (value: string | FileValue) => void;
}

/** Puts the content of a file in the place of a value, byte for byte. */
export function ReplaceByFile({ what, onReplace }: ReplaceByFileProps) {
  const [refused, setRefused] = useState('');
  const takeFile = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    const read = await readFile(file, MAX_DATA_BYTES);
    setRefused('refused' in read ? read.refused : '');
    if ('value' in read) onReplace(read.value);
  };
  return (
    <>
      <FileButton
        text="Replace with a file"
        label={`File to replace the value of ${what}`}
        variant="link"
        onFiles={(files) => void takeFile(files)}
      />
      <span className="expired" aria-live="polite">
        {refused}
      </span>
    </>
  );
}
