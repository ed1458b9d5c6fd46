import { useCallback, useEffect, useRef, useState } from 'react';
import { useSessionWatch } from '../api/session-watch.ts';

/** How long a value stays on the screen. */
const SHOWN_MS = 30_000;

/**
 * Hides something after 30 seconds, when the tab goes out of sight and when the session ends.
 * @param restart starts the time again when it changes
 */
export function useHiding(isShown: boolean, hide: () => void, restart?: unknown): void {
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
  }, [isShown, restart, latest, subscribe]);
}

/** Shows for a while what is here anyway. */
export function useReveal(): { readonly shown: boolean; readonly toggle: () => void } {
  const [shown, setShown] = useState(false);
  useHiding(shown, () => setShown(false));
  return { shown, toggle: () => setShown(!shown) };
}

type Fetched<Value> =
  | { readonly kind: 'hidden' | 'reading' }
  | { readonly kind: 'shown'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Reads something when it is wanted, shows it for a while, and keeps nothing of it once it is hidden.
 * @param stays whether it is not hidden by itself
 */
export function useFetched<Value>(read: (signal: AbortSignal) => Promise<Value>, stays = false) {
  const [state, setState] = useState<Fetched<Value>>({ kind: 'hidden' });
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const hide = useCallback(() => {
    reading.current.abort();
    setState({ kind: 'hidden' });
  }, []);
  const show = useCallback(() => {
    reading.current.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    const come = (next: Fetched<Value>) => {
      if (!signal.aborted) setState(next);
    };
    setState({ kind: 'reading' });
    read(signal).then(
      (value) => come({ kind: 'shown', value }),
      (error: unknown) => come({ kind: 'failed', error }),
    );
  }, [read]);
  const isShown = state.kind === 'reading' || state.kind === 'shown';
  useHiding(isShown && !stays, hide, state.kind);
  return {
    value: state.kind === 'shown' ? state.value : undefined,
    isReading: state.kind === 'reading',
    error: state.kind === 'failed' ? state.error : undefined,
    show,
    hide,
    toggle: isShown ? hide : show,
  };
}
