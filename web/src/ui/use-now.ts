import { useSyncExternalStore } from 'react';

const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer = 0;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = window.setInterval(tick, TICK_MS);
    // Browsers slow down the clock of a tab that is out of sight.
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/** The time, by one clock for the whole page; it is at most a tick old. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
