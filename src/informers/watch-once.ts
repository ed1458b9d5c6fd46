import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../timing/clock.ts';
import type { Watch, Watchable, WatchedObject, WatchEvent } from './ports.ts';

export interface WatchOnce<Item extends WatchedObject> {
  readonly source: Watchable<Item>;
  /** The watch begins after this revision. */
  readonly revision: string;
  /** The cluster ends the watch after this time. */
  readonly timeoutSeconds: number;
  readonly maxSilenceMs: number;
  readonly clock: Clock;
  /** Called when the watch is open. */
  readonly opened: (watch: Watch<Item>) => void;
  /** Processes each event before the next one is read, so that they stay in order. */
  readonly take: (event: WatchEvent<Item>) => void;
}

/**
 * Processes one watch to its end.
 * @throws {ServiceError} whatever the port throws, and `unavailable` when the watch was silent for too long: a
 *   half-open connection says nothing at all, while a live one brings a bookmark about once a minute
 */
export async function watchOnce<Item extends WatchedObject>(
  { source, revision, timeoutSeconds, maxSilenceMs, clock, opened, take }: WatchOnce<Item>,
  signal: AbortSignal,
): Promise<void> {
  const end = new AbortController();
  const stop = (): void => {
    end.abort();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const watch = await source.watch(revision, timeoutSeconds, end.signal);
    opened(watch);
    const silenced = endWhenSilent(watch, maxSilenceMs, clock, end);
    for await (const event of watch.events) take(event);
    stop();
    if (await silenced) {
      throw new ServiceError('unavailable', 'The watch was silent for too long', { reason: 'watchSilent' });
    }
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
  }
}

/** Ends the watch once its last byte is too old. Resolves with whether that was the reason. */
async function endWhenSilent(
  watch: Watch<unknown>,
  maxSilenceMs: number,
  clock: Clock,
  end: AbortController,
): Promise<boolean> {
  while (!end.signal.aborted) {
    const left = maxSilenceMs - watch.silenceMs();
    if (left <= 0) {
      end.abort();
      return true;
    }
    await clock.sleep(left, end.signal);
  }
  return false;
}
