import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { Row } from '../../editing/draft.ts';
import { expectsLines } from '../../editing/type-fields.ts';
import { isLarge } from '../../values/large-text.ts';
import { Generator } from './generator.tsx';
import { LargeValue } from './large-value.tsx';
import { LineField } from './line-field.tsx';
import { LinesField } from './lines-field.tsx';
import { RevealToggle } from '../../ui/reveal-toggle.tsx';
import { useValueView } from './use-value-view.ts';

export interface ValueEditorProps {
  readonly row: Row;
  /** What is read out for the row: its key, never its value. */
  readonly what: string;
  /** What the field is called. */
  readonly label: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

/** A value behind its mask, in a field of one line or of several, or, when it is too large for that, as a card. */
export function ValueEditor({ row, what, label, isInvalid, describedBy, onChange }: ValueEditorProps) {
  const view = useValueView(row);
  const { place, shown, asText, endings, show } = view;
  const [caret, setCaret] = useState<number>();
  const replace = (value: string) => {
    setCaret(undefined);
    view.edit(!isLarge(value), value);
    onChange(value);
  };
  if (!asText) {
    return (
      <div className="row-value" ref={place}>
        <LargeValue
          {...{ value: row.value, what, shown }}
          onShow={show}
          onEdit={() => view.edit(true, row.value)}
          onReplace={replace}
        />
      </div>
    );
  }
  const isMultiline = view.isMultiline || expectsLines(row.key);
  const field = { label, value: row.value, isInvalid, describedBy };
  return (
    <div className="row-value" ref={place}>
      {shown && isMultiline ? (
        <LinesField {...{ ...field, endings, caret }} onType={onChange} onPasteWhole={replace} />
      ) : (
        <LineField
          {...{ ...field, shown }}
          onType={shown ? onChange : replace}
          onPasteLines={replace}
          onBreak={(value, place) => {
            view.keepFocus();
            setCaret(place);
            onChange(value);
          }}
        />
      )}
      {(row.stored || row.value !== '') && (
        <RevealToggle
          shown={shown}
          label={shown ? `Hide the value of ${what}` : `Show and edit the value of ${what}`}
          onShow={show}
        />
      )}
      <Generator
        what={what}
        onGenerate={(value) => {
          view.renew(value);
          onChange(value);
        }}
      />
      {shown && <LastBreak value={row.value} onRemove={replace} />}
    </div>
  );
}

interface LastBreakProps {
  readonly value: string;
  readonly onRemove: (value: string) => void;
}

/** A line break behind a single line comes from copying or the Enter key more often than it is meant. */
function LastBreak({ value, onRemove }: LastBreakProps) {
  const line = /^[^\r\n]+(?=\r?\n$)/.exec(value)?.[0];
  if (line === undefined) return null;
  return (
    <p className="hint" role="status">
      Ends with a line break.{' '}
      <Button variant="link" isInline onClick={() => onRemove(line)}>
        Remove it
      </Button>
    </p>
  );
}
