import { TextArea, TextInput, type TextAreaProps, type TextInputProps } from '@patternfly/react-core';
import { type ClipboardEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { MASK } from '../../ui/masked.tsx';
import { fromEditor, isLarge, toEditor, type LineEndings } from '../../values/lines.ts';

interface FieldProps {
  readonly value: string;
  readonly isInvalid?: boolean;
  readonly describedBy?: string;
  readonly onType: (value: string) => void;
}

export interface LineFieldProps extends FieldProps, Pick<TextInputProps, 'id' | 'aria-label'> {
  /** Otherwise the value is not in the page, and what is typed takes its place. */
  readonly shown: boolean;
  /** There is a value, and not in this page. */
  readonly isKept?: boolean;
  /** A text that a field of one line cannot hold, or would change; what it is pasted into comes with it, and the place behind it. */
  readonly onPasteLines?: (value: string, caret: number) => void;
  /** A line break at this place. */
  readonly onBreak?: (value: string, caret: number) => void;
}

/** A value of one line, behind a mask or not. It is the same field for both, so that typing goes on where it began. */
export function LineField(props: LineFieldProps) {
  const { value, shown, isKept = false, isInvalid = false, describedBy, ...rest } = props;
  const { onType, onPasteLines, onBreak, ...name } = rest;
  const text = shown ? value : '';
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (onPasteLines === undefined || !/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    const [before, after] = aroundSelection(event.currentTarget, text);
    onPasteLines(before + pasted + after, toEditor(before + pasted).length);
  };
  const breakLine = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!shown || onBreak === undefined) return;
    const [before, after] = aroundSelection(event.currentTarget, text);
    onBreak(`${before}\n${after}`, before.length + 1);
  };
  return (
    <TextInput
      {...NO_AUTOFILL}
      {...name}
      className={shown ? 'value-input value-open' : 'value-input'}
      value={text}
      placeholder={shown || (value === '' && !isKept) ? '' : MASK}
      title={shown ? '' : 'Hidden. Type to replace it.'}
      validated={isInvalid ? 'error' : 'default'}
      aria-describedby={describedBy}
      onPaste={paste}
      onKeyDown={breakLine}
      onChange={(_event, typed) => onType(typed)}
    />
  );
}

export function aroundSelection(
  { selectionStart, selectionEnd }: HTMLInputElement | HTMLTextAreaElement,
  text: string,
): readonly [before: string, after: string] {
  return [text.slice(0, selectionStart ?? text.length), text.slice(selectionEnd ?? text.length)];
}

interface LinesFieldProps extends FieldProps, Pick<TextAreaProps, 'aria-label' | 'rows' | 'placeholder'> {
  readonly endings: LineEndings;
  /** Where one goes on typing in a field that has just taken the place of another. */
  readonly caret?: number | undefined;
  /** A text that the field would take seconds for, or would change. */
  readonly onPasteWhole: (value: string) => void;
}

/** A value of several lines, which keeps its line endings. */
export function LinesField(props: LinesFieldProps) {
  const { value, endings, caret, isInvalid = false, describedBy, onType, onPasteWhole, ...rest } = props;
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
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        {...rest}
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

/** A value is neither filled in nor kept by the browser or a password manager: it is not one of a website. */
const NO_AUTOFILL = {
  autoComplete: 'off',
  spellCheck: false,
  autoCapitalize: 'off',
  'data-1p-ignore': 'true',
  'data-bwignore': 'true',
  'data-lpignore': 'true',
  'data-form-type': 'other',
} as const;
