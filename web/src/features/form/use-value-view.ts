import { useEffect, useState } from 'react';
import { useSessionWatch } from '../../api/session-watch.ts';
import { useFocusKept } from '../../ui/use-focus-kept.ts';
import type { Row } from '../../editing/draft.ts';
import { isLarge } from '../../values/large-text.ts';
import { lineEndings } from '../../values/line-endings.ts';

/** How long a value stays on the screen when no one types. */
const SHOWN_MS = 30_000;

/**
 * How a value is shown while it is edited. It hides after 30 seconds without typing, when the tab goes out of sight
 * and when the session ends; what was typed stays in the row. The focus stays in the place, whatever takes the place of what had it.
 */
export function useValueView({ value, stored }: Pick<Row, 'value' | 'stored'>) {
  const [shown, setShown] = useState(!stored && value === '');
  const [asText, setAsText] = useState(() => !isLarge(value));
  // Remembered from before the first keystroke, since a text field turns every line ending into a line feed.
  const [endings, setEndings] = useState(() => lineEndings(value));
  const { subscribe } = useSessionWatch();
  const { place, keepFocus } = useFocusKept(`${shown}${asText}`);
  const show = (next: boolean) => {
    keepFocus();
    setShown(next);
  };
  const edit = (text: boolean, from: string) => {
    keepFocus();
    setAsText(text);
    setEndings(lineEndings(from));
    setShown(text);
  };
  useEffect(() => {
    if (!shown || value === '') return;
    const hide = () => {
      keepFocus();
      setShown(false);
    };
    const timer = window.setTimeout(hide, SHOWN_MS);
    document.addEventListener('visibilitychange', hide);
    const unsubscribe = subscribe(hide);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
      unsubscribe();
    };
  }, [shown, value, keepFocus, subscribe]);
  return { place, shown, asText, endings, show, edit };
}
