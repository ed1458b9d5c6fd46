import { TextInput } from '@patternfly/react-core';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { MASK } from '../../ui/masked.tsx';
import { NO_AUTOFILL } from './no-autofill.ts';

export interface LineFieldProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: string;
  /** Otherwise the value is not in the page, and what is typed takes its place. */
  readonly shown: boolean;
  /** There is a value, and not in this page. */
  readonly isKept?: boolean;
  readonly isInvalid?: boolean;
  readonly describedBy?: string;
  readonly onType: (value: string) => void;
  /** A text that a field of one line cannot hold, or would change; what it is pasted into comes with it. */
  readonly onPasteLines?: (value: string) => void;
  /** A line break at this place. */
  readonly onBreak?: (value: string, caret: number) => void;
}

/** A value of one line, behind a mask or not. It is the same field for both, so that typing goes on where it began. */
export function LineField(props: LineFieldProps) {
  const {
    id,
    label,
    value,
    shown,
    isKept = false,
    isInvalid = false,
    describedBy,
    onType,
    onPasteLines,
    onBreak,
  } = props;
  const text = shown ? value : '';
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (onPasteLines === undefined || !/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    const [before, after] = aroundSelection(event.currentTarget, text);
    onPasteLines(before + pasted + after);
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
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { 'aria-label': label })}
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
