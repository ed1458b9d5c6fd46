import { useContext, useEffect, useState } from 'react';
import { CurrentValuesContext } from './current-values.ts';
import { useSessionWatch } from '../api/session-watch.ts';

/** How long a value stays on the screen. */
const SHOWN_MS = 30_000;

/** Shows something for a while; it hides by itself after 30 seconds, when the tab goes out of sight and when the session ends. */
export function useReveal(): { readonly shown: boolean; readonly toggle: () => void } {
  const [shown, setShown] = useState(false);
  const { subscribe } = useSessionWatch();
  const whenCurrent = useContext(CurrentValuesContext);
  useEffect(() => {
    if (!shown) return;
    const hide = () => setShown(false);
    const timer = window.setTimeout(hide, SHOWN_MS);
    document.addEventListener('visibilitychange', hide);
    const unsubscribe = subscribe(hide);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
      unsubscribe();
    };
  }, [shown, subscribe]);
  const toggle = () => {
    if (shown) setShown(false);
    else whenCurrent(() => setShown(true));
  };
  return { shown, toggle };
}
