import { useState } from 'react';
import { useFocusKept } from '../../ui/use-focus-kept.ts';
import { useHiding } from '../../ui/use-reveal.ts';
import { isLarge, lineEndings } from '../../values/lines.ts';

export interface ValueViewOptions {
  readonly value: string;
  /** Came from the Secret. */
  readonly stored: boolean;
  /** Called when it hides by itself. */
  readonly onHide?: () => void;
}

const hasBreak = (value: string): boolean => /[\r\n]/.test(value);

/**
 * How a text is shown while it is edited. It hides after 30 seconds without typing, when the tab goes out of sight
 * and when the session ends; what was typed stays in the row. The focus stays in the place, whatever takes the place of what had it.
 */
export function useValueView({ value, stored, onHide }: ValueViewOptions) {
  const [shown, setShown] = useState(!stored && value === '');
  const [asText, setAsText] = useState(() => !isLarge(value));
  // A field that has had several lines stays one, so that it does not change while its last line break is removed.
  const [hadLines, setHadLines] = useState(() => hasBreak(value));
  // Remembered from before the first keystroke, since a text field turns every line ending into a line feed.
  const [endings, setEndings] = useState(() => lineEndings(value));
  const isMultiline = hadLines || hasBreak(value);
  const { place, keepFocus } = useFocusKept(`${shown} ${asText} ${isMultiline}`);
  const show = (next: boolean) => {
    keepFocus();
    setHadLines(hasBreak(value));
    setShown(next);
  };
  const renew = (from: string) => {
    setHadLines(hasBreak(from));
    setEndings(lineEndings(from));
  };
  const edit = (text: boolean, from: string, isShown = text) => {
    keepFocus();
    renew(from);
    setAsText(text);
    setShown(isShown);
  };
  const hide = () => {
    keepFocus();
    setShown(false);
    onHide?.();
  };
  useHiding(shown && value !== '', hide, value);
  return { place, shown, asText, isMultiline, endings, keepFocus, show, renew, edit };
}
