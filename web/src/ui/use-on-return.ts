import { useEffect, useRef } from 'react';

/** How long what was read counts as current for someone who comes back to it. */
const CURRENT_MS = 5_000;

/** Calls `onReturn` when someone comes back to the tab or the window, unless what is there is only a few seconds old. */
export function useOnReturn(onReturn: () => void): void {
  const readAt = useRef<number>(undefined);
  useEffect(() => {
    readAt.current ??= Date.now();
    const onFocus = () => {
      if (Date.now() - (readAt.current ?? 0) < CURRENT_MS) return;
      readAt.current = Date.now();
      onReturn();
    };
    const onVisible = () => {
      if (document.visibilityState === 'visible') onFocus();
    };
    window.addEventListener('focus', onFocus);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      window.removeEventListener('focus', onFocus);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [onReturn]);
}
