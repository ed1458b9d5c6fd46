import { useEffect, useState } from 'react';
import { useSessionWatch } from '../../api/session-watch.ts';
import { useFocusKept } from '../../ui/use-focus-kept.ts';
import type { Row } from '../../editing/draft.ts';
import { isLarge } from '../../values/large-text.ts';
import { lineEndings } from '../../values/line-endings.ts';

/** How long a value stays on the screen when no one types. */
const SHOWN_MS = 30_000;

const hasBreak = (value: string): boolean => /[\r\n]/.test(value);

/**
 * How a value is shown while it is edited. It hides after 30 seconds without typing, when the tab goes out of sight
 * and when the session ends; what was typed stays in the row. The focus stays in the place, whatever takes the place of what had it.
 */
export function useValueView({ value, stored }: Pick<Row, 'value' | 'stored'>) {
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
  const edit = (text: boolean, from: string) => {
    keepFocus();
    renew(from);
    setAsText(text);
    setShown(text);
  };
  useHiding(shown && value !== '', value, () => {
    keepFocus();
    setShown(false);
  });
  return { place, shown, asText, isMultiline, endings, keepFocus, show, renew, edit };
}

/** @param value starts the time again when it changes */
function useHiding(isShown: boolean, value: string, hide: () => void): void {
  const { subscribe } = useSessionWatch();
  const [latest] = useState({ hide });
  useEffect(() => {
    latest.hide = hide;
  });
  useEffect(() => {
    if (!isShown) return;
    const now = () => latest.hide();
    const timer = window.setTimeout(now, SHOWN_MS);
    document.addEventListener('visibilitychange', now);
    const unsubscribe = subscribe(now);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', now);
      unsubscribe();
    };
  }, [isShown, value, latest, subscribe]);
}
