import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { Row, RowChange } from '../../editing/draft.ts';
import { expectsLines, isDocument } from '../../editing/secret-types.ts';
import { Masked } from '../../ui/masked.tsx';
import { isLarge } from '../../values/lines.ts';
import { isFile, isStored, type FileValue } from '../../values/value.ts';
import { Generator } from './generator.tsx';
import { LargeValue, ReplaceByFile, type ReplaceByFileProps } from './large-value.tsx';
import { LineField, LinesField } from './line-field.tsx';
import { RevealToggle } from '../../ui/reveal-toggle.tsx';
import { useStoredText } from './use-stored-text.ts';
import { useValueView } from './use-value-view.ts';

export interface ValueEditorProps {
  readonly row: Row;
  /** What is read out for the row: its key, never its value. */
  readonly what: string;
  /** What the field is called. */
  readonly label: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly onChange: (change: RowChange) => void;
}

/** A value behind its mask, in a field of one line or of several, or, when it is too large for that or binary, as a card. */
export function ValueEditor(props: ValueEditorProps) {
  const { row, what, onChange } = props;
  const { value } = row;
  if (isFile(value))
    return <BinaryValue what={what} file={value} onReplace={(next) => onChange({ value: next })} />;
  if (isStored(value) && value.isBinary) {
    return <BinaryValue what={what} onReplace={(next) => onChange({ value: next })} />;
  }
  return <TextValue {...props} text={isStored(value) ? '' : value} />;
}

interface BinaryValueProps extends ReplaceByFileProps {
  /** Left out: the stored value stays. */
  readonly file?: FileValue;
}

function BinaryValue({ file, ...replace }: BinaryValueProps) {
  return (
    <div className="row-value">
      <div className="large-value">
        <p>
          {file === undefined && 'A binary value; it stays as it is.'}
          {file && <Masked value={file} of={replace.what} />}
        </p>
        <div className="row-actions">
          <ReplaceByFile {...replace} />
        </div>
      </div>
    </div>
  );
}

interface TextValueProps extends ValueEditorProps {
  /** Empty while the stored one stays where it is. */
  readonly text: string;
}

/** How the text of a row is shown, read, typed and replaced. What was only looked at goes when it is hidden. */
function useTextValue({ row, text, onChange }: TextValueProps) {
  const isKept = isStored(row.value);
  const [caret, setCaret] = useState<number>();
  const forget = () => {
    if (text === row.loaded?.text) onChange({ value: row.loaded.of, loaded: undefined });
  };
  const view = useValueView({ value: text, stored: row.origin !== undefined, onHide: forget });
  const { load, note } = useStoredText(row.value, (loaded) => {
    onChange({ value: loaded.text, loaded });
    view.edit(!isLarge(loaded.text), loaded.text, true);
  });
  const show = (next: boolean) => {
    if (next && isKept) {
      void load();
      return;
    }
    view.show(next);
    if (!next) forget();
  };
  const replace = (value: string | FileValue, place?: number) => {
    setCaret(place);
    if (typeof value === 'string') view.edit(!isLarge(value), value);
    onChange({ value });
  };
  const type = (value: string) => onChange({ value });
  const breakLine = (value: string, place: number) => {
    view.keepFocus();
    setCaret(place);
    type(value);
  };
  const generated = (value: string) => {
    view.renew(value);
    type(value);
  };
  return {
    view,
    isKept,
    isShown: view.shown && !isKept,
    note,
    caret,
    show,
    replace,
    type,
    breakLine,
    generated,
  };
}

function TextValue(props: TextValueProps) {
  const { row, text, what, label, isInvalid, describedBy } = props;
  const { view, isKept, isShown, note, caret, show, replace, type, ...on } = useTextValue(props);
  if (!view.asText && !isKept) {
    return (
      <div className="row-value" ref={view.place}>
        <LargeValue
          {...{ value: text, what, shown: view.shown }}
          onShow={show}
          onEdit={() => view.edit(true, text)}
          onReplace={replace}
        />
      </div>
    );
  }
  const field = { 'aria-label': label, value: text, isInvalid, describedBy };
  return (
    <div className="row-value" ref={view.place}>
      {isShown && (view.isMultiline || expectsLines(row.key)) ? (
        <LinesField {...field} endings={view.endings} caret={caret} onType={type} onPasteWhole={replace} />
      ) : (
        <LineField
          {...{ ...field, shown: isShown, isKept }}
          onType={isShown ? type : replace}
          onPasteLines={replace}
          onBreak={on.breakLine}
        />
      )}
      {(row.origin !== undefined || text !== '') && (
        <RevealToggle shown={isShown} of={`the value of ${what}`} reveal="Show and edit" onShow={show} />
      )}
      {!isDocument(row.key) && <Generator what={what} onGenerate={on.generated} />}
      <span role="status" className="hint">
        {note}
      </span>
      {isShown && <LastBreak value={text} onRemove={replace} />}
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
