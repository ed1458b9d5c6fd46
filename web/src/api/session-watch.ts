import { createContext, useContext, useSyncExternalStore } from 'react';

/**
 * Whether the session has ended since the last sign-in, as the service has answered this tab or another.
 * @param tabs for the messages between tabs, `ended` and `started`; the session is one for all of them, as its cookie is
 */
export function createSessionWatch(tabs: BroadcastChannel) {
  const listeners = new Set<() => void>();
  const newsListeners = new Set<() => void>();
  let ended = false;
  const set = (next: boolean): boolean => {
    if (ended === next) return false;
    ended = next;
    for (const listener of listeners) listener();
    return true;
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === 'ended') set(true);
    for (const listener of newsListeners) listener();
  });
  return {
    /** The service has answered that there is no session. */
    ended: () => {
      if (set(true)) tabs.postMessage('ended');
    },
    /** Someone is signed in; other tabs may look again. */
    started: () => tabs.postMessage('started'),
    /** This tab leaves: others must not keep what it gives up. */
    signedOut: () => tabs.postMessage('ended'),
    resumed: () => void set(false),
    /** The session is someone else's by now, which other tabs find out themselves. */
    replaced: () => void set(true),
    subscribe: subscribeTo(listeners),
    /** Called when another tab has reason to believe that the session is another one by now. */
    onNews: subscribeTo(newsListeners),
    isEnded: () => ended,
  };
}

function subscribeTo(listeners: Set<() => void>) {
  return (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

export const SessionWatchContext = createContext<ReturnType<typeof createSessionWatch> | undefined>(
  undefined,
);

export function useSessionWatch() {
  const watch = useContext(SessionWatchContext);
  if (watch === undefined) throw new TypeError('outside of the pages');
  const isEnded = useSyncExternalStore(watch.subscribe, watch.isEnded);
  return { ...watch, isEnded };
}
