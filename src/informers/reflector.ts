import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import { backOffMs } from '../timing/back-off.ts';
import { listAll } from './list-all.ts';
import {
  createObjectStore,
  type Change,
  type ObjectStore,
  type StoredObjects,
  type StoreOptions,
} from './object-store.ts';
import type { Clock } from '../timing/clock.ts';
import type { Watch, Watchable, WatchedObject, WatchEvent, WatchEventKind } from './ports.ts';
import { watchOnce } from './watch-once.ts';

/** Why everything is listed again. */
export type RelistReason =
  | 'start'
  /** The revision to watch from is no longer kept. */
  | 'expired'
  /** The list took longer than its continue tokens live, or contradicted itself. */
  | 'listAgain'
  /** One watch after the other failed without bringing anything. */
  | 'stalled'
  /** The store was found to differ from the cluster. */
  | 'difference';

/** Called with events of a reflector, for metrics. */
export interface ReflectorObserver {
  event(kind: WatchEventKind): void;
  relist(reason: RelistReason): void;
  /** Whether the permission to list or watch is missing. Called when that changes. */
  rightMissing(missing: boolean): void;
}

export interface ReflectorOptions<Item extends WatchedObject, Value> extends StoreOptions<Item, Value> {
  readonly source: Watchable<Item>;
  /** Called with every change after it is stored. It only notes that there is work; an error from it is logged. */
  readonly onChange: (change: Change<Value>) => void;
  readonly observer: ReflectorObserver;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Returns 0 to 1. */
  readonly random: () => number;
  /** A watch that is silent for longer is ended; 90 seconds by default. */
  readonly maxSilenceMs?: number;
}

export interface ReflectorStatus {
  /** Whether the store has contained a whole list once. */
  readonly synced: boolean;
  /** The last revision that the store has reached. */
  readonly revision: string | undefined;
  /** The age of the last byte from the cluster. */
  readonly silenceMs: number;
  /** Whether it waits because the permission to list or watch is missing. */
  readonly isForbidden: boolean;
}

/** Keeps a store in sync with the cluster: lists, then watches, and continues after every failure. */
export interface Reflector<Value> {
  readonly objects: StoredObjects<Value>;
  status(): ReflectorStatus;
  /** Lists everything again, because the store differs from the cluster. */
  listAgain(): void;
  /** Runs until `signal` is aborted. Never rejects. Call it once. */
  run(signal: AbortSignal): Promise<void>;
}

const DEFAULT_MAX_SILENCE_MS = 90_000;
/** The cluster ends each watch after 5 to 10 minutes, so that watches spread over its servers again. */
const MIN_WATCH_SECONDS = 300;
const BACK_OFF = { firstMs: 500, longestMs: 30_000 };
/** A watch of this length counts as a success, even without an event. */
const FRUITFUL_MS = 10_000;
/** After so many consecutive failures the revision itself may be the cause. */
const MAX_FRUITLESS = 8;

/** Makes a reflector. It sends no request until it runs. */
export function createReflector<Item extends WatchedObject, Value>(
  options: ReflectorOptions<Item, Value>,
): Reflector<Value> {
  return new ListingAndWatching(options);
}

class ListingAndWatching<Item extends WatchedObject, Value> implements Reflector<Value> {
  readonly #options: ReflectorOptions<Item, Value>;
  readonly #store: ObjectStore<Item, Value>;
  readonly #logger: Logger;
  /** The revision to watch from. If undefined, everything is listed. */
  #revision: string | undefined;
  #synced = false;
  #vouchedAt: number;
  #watch: Watch<Item> | undefined;
  #relistReason: RelistReason = 'start';
  /** Since the last success. */
  #failures = 0;
  #isForbidden = false;
  /** Remembers that a list is needed: events that are still in progress may change the revision. */
  #differs = false;
  /** Ends the current watch only. */
  #interruption: AbortController | undefined;

  constructor(options: ReflectorOptions<Item, Value>) {
    this.#options = options;
    this.#store = createObjectStore(options);
    this.#logger = options.logger.with({
      resource: options.source.resource,
      namespace: options.source.namespace,
    });
    this.#vouchedAt = options.clock.now();
  }

  get objects(): StoredObjects<Value> {
    return this.#store;
  }

  status(): ReflectorStatus {
    const silenceMs = this.#watch?.silenceMs() ?? this.#options.clock.now() - this.#vouchedAt;
    return { synced: this.#synced, revision: this.#revision, silenceMs, isForbidden: this.#isForbidden };
  }

  listAgain(): void {
    this.#differs = true;
    this.#interruption?.abort();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#differs) this.#relist('difference');
      this.#differs = false;
      try {
        this.#revision ??= await this.#list(signal);
        await this.#follow(this.#revision, signal);
      } catch (error) {
        await this.#options.clock.sleep(this.#failed(known(error)), signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { source, observer, clock } = this.#options;
    const begun = clock.now();
    const replacement = this.#store.replacement();
    const revision = await listAll(
      source,
      (item) => {
        replacement.add(item);
      },
      signal,
    );
    const changes = replacement.commit();
    this.#synced = true;
    this.#vouchedAt = begun;
    observer.relist(this.#relistReason);
    this.#notify(changes);
    return revision;
  }

  async #follow(revision: string, signal: AbortSignal): Promise<void> {
    const { source, clock, random, maxSilenceMs = DEFAULT_MAX_SILENCE_MS } = this.#options;
    const begun = clock.now();
    let events = 0;
    const opened = (watch: Watch<Item>): void => {
      this.#watch = watch;
      this.#noteAllowed();
    };
    const take = (event: WatchEvent<Item>): void => {
      events++;
      this.#take(event);
    };
    const timeoutSeconds = Math.ceil(MIN_WATCH_SECONDS * (1 + random()));
    const interruption = new AbortController();
    this.#interruption = interruption;
    const end = AbortSignal.any([signal, interruption.signal]);
    try {
      await watchOnce({ source, revision, timeoutSeconds, maxSilenceMs, clock, opened, take }, end);
      if (events === 0 && clock.now() - begun < FRUITFUL_MS && !end.aborted) throw endedAtOnce();
    } finally {
      this.#interruption = undefined;
      if (clock.now() - begun >= FRUITFUL_MS) this.#failures = 0;
      if (this.#watch !== undefined) this.#vouchedAt = clock.now() - this.#watch.silenceMs();
      this.#watch = undefined;
    }
  }

  /** Updates the store, then the revision, then calls the handlers, so that handlers read the current store. */
  #take(event: WatchEvent<Item>): void {
    this.#failures = 0;
    this.#options.observer.event(event.kind);
    if (event.kind === 'bookmark') {
      this.#revision = event.resourceVersion;
      return;
    }
    const { kind, item } = event;
    const changes = kind === 'deleted' ? this.#store.remove(item) : this.#store.put(item);
    this.#revision = item.resourceVersion;
    this.#notify(changes);
  }

  #notify(changes: readonly Change<Value>[]): void {
    for (const change of changes) {
      try {
        this.#options.onChange(change);
      } catch {
        // A bug of the handler: the store is correct, and the stream must continue.
        this.#logger.error('handler of a change failed', { code: 'internal' });
      }
    }
  }

  /** Decides how to continue after a failure. Returns how long to wait. */
  #failed(error: ServiceError): number {
    this.#failures++;
    const { code, reason } = error;
    this.#logger.debug('list or watch failed', { code, reason, attempt: this.#failures });
    if (code === 'expired' || code === 'listInconsistent') {
      this.#relist(this.#revision === undefined ? 'listAgain' : 'expired');
    } else if (this.#revision !== undefined && this.#failures >= MAX_FRUITLESS) {
      this.#relist('stalled');
    }
    if (code === 'rightMissing') this.#noteForbidden(reason);
    const failures = code === 'rightMissing' ? Infinity : this.#failures;
    const wait = backOffMs(failures, { ...BACK_OFF, random: this.#options.random });
    return Math.max(wait, (error.retryAfterSeconds ?? 0) * 1_000);
  }

  #relist(reason: RelistReason): void {
    this.#relistReason = reason;
    this.#revision = undefined;
  }

  #noteForbidden(reason: string | undefined): void {
    if (this.#isForbidden) return;
    this.#isForbidden = true;
    this.#options.observer.rightMissing(true);
    this.#logger.warn('missing RBAC permission', { reason });
  }

  #noteAllowed(): void {
    if (!this.#isForbidden) return;
    this.#isForbidden = false;
    this.#options.observer.rightMissing(false);
    this.#logger.info('RBAC permission granted');
  }
}

function endedAtOnce(): ServiceError {
  return new ServiceError('unavailable', 'The watch ended at once', { reason: 'watchEndedAtOnce' });
}

/** A bug in a projection must not end the stream. It is retried like any other failure. */
function known(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  return new ServiceError('internal', 'A watch failed unexpectedly', {
    reason: 'reflectorBug',
    cause: error,
  });
}
