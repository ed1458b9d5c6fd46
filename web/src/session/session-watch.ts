import { createContext, useContext, useSyncExternalStore } from 'react';

/** Whether the service has answered, since the last sign-in, that the session has ended. */
export interface SessionWatch {
  readonly ended: () => void;
  readonly resumed: () => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly isEnded: () => boolean;
}

export function createSessionWatch(): SessionWatch {
  const listeners = new Set<() => void>();
  let ended = false;
  const set = (next: boolean) => {
    if (ended === next) return;
    ended = next;
    for (const listener of listeners) listener();
  };
  return {
    ended: () => set(true),
    resumed: () => set(false),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isEnded: () => ended,
  };
}

export const SessionWatchContext = createContext<SessionWatch | undefined>(undefined);

export function useSessionWatch(): Omit<SessionWatch, 'isEnded'> & { readonly isEnded: boolean } {
  const watch = useContext(SessionWatchContext);
  if (watch === undefined) throw new TypeError('outside of the pages');
  const isEnded = useSyncExternalStore(watch.subscribe, watch.isEnded);
  return { ...watch, isEnded };
}
