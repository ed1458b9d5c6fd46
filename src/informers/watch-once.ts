import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../timing/clock.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Watch, WatchEvent } from './ports.ts';

const MIN_WATCH_SECONDS = 300;
/** Long enough for a streaming list of whatever the cluster has. */
export const LIST_SECONDS = 1_800;
/** A watch of this length counts as a success, even without an event. */
export const FRUITFUL_MS = 10_000;
const DEFAULT_MAX_SILENCE_MS = 90_000;

/** The cluster ends each watch after 5 to 10 minutes, so that watches spread over its servers again. */
export function watchSeconds(random: () => number): number {
  return Math.ceil(MIN_WATCH_SECONDS * (1 + random()));
}

export interface WatchOnce<Item> {
  /** Undefined when the cluster does not support such a watch. */
  readonly open: (signal: AbortSignal) => Promise<Watch<Item> | undefined>;
  /** 90 seconds by default. */
  readonly maxSilenceMs: number | undefined;
  readonly clock: Clock;
  /** Called when the watch is open. */
  readonly opened: (watch: Watch<Item>) => void;
  /** Processes each event before the next one is read, so that they stay in order. */
  readonly take: (event: WatchEvent<Item>) => Promise<void> | undefined;
}

/**
 * Follows one watch to its end, in slices, so that requests are handled while many events arrive.
 * @returns false when the cluster does not support such a watch
 * @throws {ServiceError} whatever the port throws, and `unavailable` when the watch was silent for too long: a half-open
 *   connection says nothing at all, while a live one brings a bookmark about once a minute
 */
export async function watchOnce<Item>(
  { open, maxSilenceMs = DEFAULT_MAX_SILENCE_MS, clock, opened, take }: WatchOnce<Item>,
  signal: AbortSignal,
): Promise<boolean> {
  const end = new AbortController();
  const stop = (): void => {
    end.abort();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const yielder = createEventLoopYielder();
  try {
    const watch = await open(end.signal);
    if (watch === undefined) return false;
    opened(watch);
    const silenced = endWhenSilent(watch, maxSilenceMs, clock, end);
    for await (const event of watch.events) {
      await take(event);
      if (yielder.isDue()) await yielder.yieldNow();
    }
    stop();
    if (await silenced) {
      throw new ServiceError('unavailable', 'The watch was silent for too long', { reason: 'watchSilent' });
    }
    return true;
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
