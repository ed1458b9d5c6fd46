import { Button } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { excerptOf, linesOf } from '../values/excerpt.ts';
import { formatNumber } from '../values/format.ts';
import { piecesOf } from '../values/unseen.ts';
import { SHOWN_VALUE_WORDS } from '../words/value-parts.ts';

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
  if (value === '') return <span className="no-value">{SHOWN_VALUE_WORDS.empty}</span>;
  const lines = linesOf(value);
  return (
    <div className="shown">
      <pre className="value" role="group" tabIndex={0} aria-label={SHOWN_VALUE_WORDS.value(of)}>
        <Pieces text={excerpt} />
      </pre>
      {excerpt.length < value.length && (
        <p className="hint">
          {SHOWN_VALUE_WORDS.beginning}{' '}
          <Button variant="link" isInline onClick={() => setWhole(true)}>
            {lines > 1
              ? SHOWN_VALUE_WORDS.showAllLines(formatNumber(lines))
              : SHOWN_VALUE_WORDS.showWholeValue}
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
