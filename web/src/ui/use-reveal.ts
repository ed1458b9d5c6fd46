import { useEffect, useState } from 'react';

/** How long a value stays on the screen. */
const SHOWN_MS = 30_000;

/** Shows something for a while; it hides by itself after 30 seconds and when the tab goes out of sight. */
export function useReveal(): { readonly shown: boolean; readonly toggle: () => void } {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!shown) return;
    const hide = () => setShown(false);
    const timer = window.setTimeout(hide, SHOWN_MS);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [shown]);
  return { shown, toggle: () => setShown((now) => !now) };
}
