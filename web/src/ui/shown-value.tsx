import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { excerptOf, lineCount } from '../values/lines.ts';
import { formatNumber } from '../values/format.ts';
import { piecesOf } from '../values/unseen.ts';

export interface ShownValueProps {
  readonly value: string;
  /** The key, for the name of the region. */
  readonly of: string;
}

/** A value in the open: with symbols for what cannot be seen, and only as much of it as is drawn in no time. */
export function ShownValue({ value, of }: ShownValueProps) {
  const [whole, setWhole] = useState(false);
  const excerpt = useMemo(() => (whole ? value : excerptOf(value)), [value, whole]);
  // Words about the value look unlike any value.
  if (value === '') return <span className="no-value">empty</span>;
  const lines = lineCount(value);
  return (
    <div className="shown">
      <pre className="value" role="group" tabIndex={0} aria-label={`Value of ${of}`}>
        <Pieces text={excerpt} />
      </pre>
      {excerpt.length < value.length && (
        <p className="hint">
          Only the beginning is shown. Copy gives you the whole value.{' '}
          <Button variant="link" isInline onClick={() => setWhole(true)}>
            {lines > 1 ? `Show all ${formatNumber(lines)} lines` : 'Show the whole value'}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The symbols are drawn by the style sheet, so that a selection that is copied holds what is stored. */
function Pieces({ text }: { readonly text: string }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  return pieces.map(({ text: part, symbol }, index) =>
    symbol === undefined ? (
      part
    ) : (
      <span key={index} className="unseen" data-symbol={symbol}>
        {part}
      </span>
    ),
  );
}
