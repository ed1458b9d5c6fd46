import { TextArea } from '@patternfly/react-core';
import { useLayoutEffect, useRef, type ClipboardEvent } from 'react';
import { isLarge } from '../../values/large-text.ts';
import { fromEditor, toEditor, type LineEndings } from '../../values/line-endings.ts';
import { aroundSelection } from './line-field.tsx';
import { NO_AUTOFILL } from './no-autofill.ts';

export interface LinesFieldProps {
  readonly label: string;
  readonly value: string;
  readonly endings: LineEndings;
  /** Where one goes on typing in a field that has just taken the place of another. */
  readonly caret: number | undefined;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly onType: (value: string) => void;
  /** A text that the field would take seconds for, or would change. */
  readonly onPasteWhole: (value: string) => void;
}

/** A value of several lines, which keeps its line endings. */
export function LinesField(props: LinesFieldProps) {
  const { label, value, endings, caret, isInvalid, describedBy, onType, onPasteWhole } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (caret !== undefined) field.current?.setSelectionRange(caret, caret);
  }, [caret]);
  const text = toEditor(value);
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    const [before, after] = aroundSelection(event.currentTarget, text);
    // The field makes every line ending a line feed; in the middle of a text that is what the text has, too.
    const isExact = before + after === '' && pasted.includes('\r');
    if (!isLarge(pasted) && !isExact) return;
    event.preventDefault();
    onPasteWhole(fromEditor(before, endings) + pasted + fromEditor(after, endings));
  };
  return (
    <>
      <TextArea
        {...NO_AUTOFILL}
        ref={field}
        className="value-input"
        aria-label={label}
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        resizeOrientation="vertical"
        validated={isInvalid ? 'error' : 'default'}
        aria-describedby={describedBy}
        onPaste={paste}
        onChange={(_event, edited) => onType(fromEditor(edited, endings))}
      />
      {endings === 'mixed' && (
        <p className="hint">
          The line endings of this value are mixed. Once you edit it, they all become line feeds.
        </p>
      )}
    </>
  );
}
