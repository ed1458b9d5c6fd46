import { Button } from '@patternfly/react-core';
import { formatBytes, utf8Bytes } from '../../values/bytes.ts';
import { formatNumber } from '../../values/format.ts';
import { beginningOf, lineCount } from '../../values/large-text.ts';
import { lineEndings, type LineEndings } from '../../values/line-endings.ts';
import type { FileValue } from '../../values/value.ts';
import { ReplaceByFile } from './replace-by-file.tsx';

export interface LargeValueProps {
  readonly value: string;
  readonly what: string;
  readonly shown: boolean;
  readonly onShow: (shown: boolean) => void;
  /** As text, however long that takes the browser. */
  readonly onEdit: () => void;
  readonly onReplace: (value: string | FileValue) => void;
}

const ENDINGS: Readonly<Record<LineEndings, string>> = {
  none: 'no line endings',
  lf: 'line endings LF',
  crlf: 'line endings CRLF',
  mixed: 'mixed line endings',
};

/** A value that no text field could hold with ease. It stays byte for byte until it is replaced. */
export function LargeValue({ value, what, shown, onShow, onEdit, onReplace }: LargeValueProps) {
  const name = (action: string) => `${action} the value of ${what}`;
  return (
    <div className="large-value">
      <Facts value={value} />
      {shown && (
        <pre className="value" tabIndex={0} aria-label={`Beginning of the value of ${what}`}>
          {beginningOf(value)}
        </pre>
      )}
      <div className="row-actions">
        <Button
          variant="link"
          isInline
          aria-label={name(shown ? 'Hide' : 'Show')}
          onClick={() => onShow(!shown)}
        >
          {shown ? 'Hide' : 'Show the beginning'}
        </Button>
        <ReplaceByFile what={what} onReplace={onReplace} />
        <Button variant="link" isInline aria-label={name('Clear')} onClick={() => onReplace('')}>
          Clear
        </Button>
        <Button variant="link" isInline aria-label={name('Edit anyway')} onClick={onEdit}>
          Edit anyway
        </Button>
      </div>
    </div>
  );
}

function Facts({ value }: { readonly value: string }) {
  const lines = lineCount(value);
  return (
    <p>
      {formatBytes(utf8Bytes(value))}, {formatNumber(lines)} {lines === 1 ? 'line' : 'lines'},{' '}
      {ENDINGS[lineEndings(value)]}.{' '}
      <span className="hint">
        Too large for a text field: clear it to type or paste another, or replace it by a file.
      </span>
    </p>
  );
}
