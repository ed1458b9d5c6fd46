import type { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { ObjectStore, type Change, type ObjectTable } from './object-store.ts';
import { beginPagedList, type PagedList } from './paged-list.ts';
import type { Watch, WatchedObject, WatchEvent } from './ports.ts';
import type { Reflector, ReflectorOptions, ReflectorStatus, RelistReason } from './reflector-options.ts';
import {
  FRUITFUL_MS,
  requireNoLower,
  serviceErrorOf,
  STORAGE_RESTORED,
  unavailable,
  untilSilent,
  waitAfter,
  watchSeconds,
} from './watch-rules.ts';

export type * from './reflector-options.ts';

/** Each time that there were so many consecutive failures, the revision itself may be the cause. */
const MAX_FRUITLESS = 8;

/** Makes a reflector. It sends no request until it runs. */
export function createReflector<Value extends WatchedObject, Table extends ObjectTable<Value>>(
  options: ReflectorOptions<Value, Table>,
): Reflector<Table> {
  return new ListingAndWatching(options);
}

class ListingAndWatching<
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
> implements Reflector<Table> {
  readonly #options: ReflectorOptions<Value, Table>;
  readonly #store: ObjectStore<Value, Table>;
  readonly #logger: Logger;
  /** When the last list was begun. */
  #listedAt = 0;
  /** The revision to watch from. If undefined, everything is listed. */
  #revision: string | undefined;
  /** The last revision that the cluster has named; it names no lower one. */
  #seen: string | undefined;
  /** While a list arrives, events belong to it, and the store stays as it was. */
  #arriving: PagedList<Value, Table> | undefined;
  #synced = false;
  #isForbidden = false;
  /** When the cluster last confirmed what the store holds. */
  #confirmedAt: number;
  /** The open watch, once it has brought something. */
  #watch: Watch<Value> | undefined;
  #relistReason: RelistReason = 'start';
  /** Since the last success. */
  #failures = 0;
  /** Since the last watch failed, until the revision was compared. */
  #isRevisionUncertain = false;
  /** Ends the current list or watch only. */
  #interruption = new AbortController();

  constructor(options: ReflectorOptions<Value, Table>) {
    this.#options = options;
    this.#store = new ObjectStore(options.createTable);
    this.#logger = options.logger.with({
      resource: options.source.resource,
      namespace: options.source.namespace,
    });
    this.#confirmedAt = options.clock.now();
  }

  get objects(): Table {
    return this.#store.table;
  }

  status(): ReflectorStatus {
    // What the watch brings while a list arrives says nothing of the store.
    const isFollowed = this.#arriving === undefined;
    const watch = isFollowed ? this.#watch : undefined;
    return {
      synced: this.#synced,
      revision: isFollowed ? this.#revision : undefined,
      silenceMs: watch?.silenceMs() ?? this.#options.clock.now() - this.#confirmedAt,
      isForbidden: this.#isForbidden,
    };
  }

  listAgain(reason: 'difference' | 'budget'): void {
    this.#relist(reason);
    this.#interruption.abort();
  }

  drop(): void {
    if (this.#options.keepsLastState !== true) {
      this.#store.clear();
      this.#synced = false;
    }
    this.#seen = undefined;
    this.#relist('restored');
    this.#interruption.abort();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const interruption = new AbortController();
      this.#interruption = interruption;
      try {
        await this.#step(AbortSignal.any([signal, interruption.signal]), signal);
      } catch (error) {
        if (!interruption.signal.aborted)
          await this.#options.clock.sleep(this.#failed(serviceErrorOf(error)), signal);
      }
    }
    this.#abandonList();
  }

  /**
   * A list and its watch have one turn together: a list whose watch waits for its own would be out of date by then.
   * @param stop ends the reflector, `end` this step
   */
  async #step(end: AbortSignal, stop: AbortSignal): Promise<void> {
    if (this.#revision === undefined) await this.#list(end, stop);
    else await this.#options.source.takeTurn(end);
    if (this.#revision !== undefined && !end.aborted) await this.#resume(this.#revision, end);
  }

  /** When there is more than a page, the watch is opened while the others arrive. */
  async #list(end: AbortSignal, stop: AbortSignal): Promise<void> {
    const { source, clock } = this.#options;
    this.#listedAt = clock.now();
    const list = await beginPagedList(source, this.#store.replacement(), this.#onPagesEnd, stop);
    if (end.aborted) {
      list.abandon();
      return;
    }
    this.#arriving = list;
    this.#reach(list.revision);
    await this.#commitWhenWhole(list);
  }

  readonly #onPagesEnd = (): void => {
    const list = this.#arriving;
    if (list === undefined) return;
    this.#commitWhenWhole(list).catch(() => {
      this.#interruption.abort(); // the next step throws it again
    });
  };

  async #resume(revision: string, end: AbortSignal): Promise<void> {
    if (this.#arriving !== undefined) await this.#requireList(this.#arriving);
    await this.#compareRevision(end);
    await this.#watchToItsEnd(revision, end);
  }

  async #requireList(list: PagedList<Value, Table>): Promise<void> {
    try {
      await this.#commitWhenWhole(list);
    } catch (error) {
      this.#abandonList();
      this.#revision = undefined;
      throw error;
    }
  }

  async #compareRevision(end: AbortSignal): Promise<void> {
    const { probe } = this.#options;
    if (!this.#isRevisionUncertain || probe === undefined) return;
    const revision = await probe(end);
    this.#isRevisionUncertain = false;
    requireNoLower(revision, this.#seen);
  }

  /**
   * Follows one watch to its end, in slices, so that requests are handled while many events arrive.
   * @throws {ServiceError} whatever the source throws; `unavailable` when the watch ended at once, or was silent for too long
   */
  async #watchToItsEnd(revision: string, end: AbortSignal): Promise<void> {
    const { source, random, clock } = this.#options;
    const begun = clock.now();
    const over = new AbortController();
    const ended = AbortSignal.any([end, over.signal]);
    const yielder = createEventLoopYielder();
    let events = 0;
    try {
      const watch = await source.watch(revision, watchSeconds(random), ended);
      this.#forbidden(false);
      const silence = untilSilent(watch, this.#options, ended).finally(() => {
        over.abort();
      });
      for await (const event of watch.events) {
        events++;
        // Not before: something in between may hold back what the cluster sends.
        this.#watch = watch;
        if (!end.aborted) await this.#take(event);
        if (yielder.isDue()) await yielder.yieldNow();
      }
      over.abort();
      if (await silence) throw unavailable('The watch was silent for too long', 'watchSilent');
      if (events === 0 && clock.now() - begun < FRUITFUL_MS && !end.aborted) {
        throw unavailable('The watch ended at once', 'watchEndedAtOnce');
      }
    } finally {
      over.abort();
      const watch = this.#watch;
      this.#watch = undefined;
      if (watch !== undefined && this.#arriving === undefined)
        this.#confirmedAt = clock.now() - watch.silenceMs();
    }
  }

  /** Updates the store, then the revision, then calls the handlers, so that handlers read the current store. */
  #take(event: WatchEvent<Value>): Promise<void> | undefined {
    this.#failures = 0;
    const list = this.#arriving;
    this.#options.observer.event(event.kind);
    list?.take(event);
    if (event.kind === 'bookmark') this.#reach(event.resourceVersion);
    else {
      const { kind, item } = event;
      const change =
        list === undefined ? this.#store[kind === 'deleted' ? 'remove' : 'put'](item) : undefined;
      this.#revision = item.resourceVersion;
      this.#seen = item.resourceVersion;
      this.#changed(change);
    }
    return list && this.#commitWhenWhole(list);
  }

  #reach(revision: string): void {
    requireNoLower(revision, this.#seen);
    this.#revision = revision;
    this.#seen = revision;
  }

  async #commitWhenWhole(list: PagedList<Value, Table>): Promise<void> {
    if (this.#arriving !== list || this.#revision === undefined) return;
    if (list.isWholeAt(this.#revision)) await this.#commit(list);
  }

  async #commit({ listed }: PagedList<Value, Table>): Promise<void> {
    const changes = this.#store.replaceBy(listed);
    this.#arriving = undefined;
    this.#confirmedAt = this.#listedAt;
    this.#synced = true;
    this.#options.observer.relist(this.#relistReason);
    // In slices, so that requests are handled in between: the changes of a list may be as many as objects.
    const yielder = createEventLoopYielder();
    for (const change of changes) {
      this.#changed(change);
      if (yielder.isDue()) await yielder.yieldNow();
    }
  }

  #changed(change: Change<Value> | undefined): void {
    try {
      if (change !== undefined) this.#options.onChange(change);
    } catch {
      // A bug of the consumer's: what is stored is right all the same, and the stream must go on.
      this.#logger.error('handler of a change failed', { code: 'internal' });
    }
  }

  /** Whether RBAC forbids to list or watch. Only what changes is logged and counted. */
  #forbidden(isForbidden: boolean, reason?: string): void {
    if (this.#isForbidden === isForbidden) return;
    this.#isForbidden = isForbidden;
    this.#options.observer.forbidden(isForbidden);
    if (isForbidden) this.#logger.warn('missing RBAC permission', { reason });
    else this.#logger.info('RBAC permission granted');
  }

  /** Decides how to continue after a failure. Returns how long to wait. */
  #failed(error: ServiceError): number {
    this.#failures++;
    const { code, reason } = error;
    this.#logger.debug('list or watch failed', { code, reason, attempt: this.#failures });
    if (reason === STORAGE_RESTORED) {
      this.drop();
      this.#options.observer.restored();
    } else if (code === 'expired' || code === 'listInconsistent') {
      this.#relist(this.#revision === undefined ? 'listAgain' : 'expired');
    } else if (this.#revision !== undefined) {
      this.#isRevisionUncertain = true;
      if (this.#failures % MAX_FRUITLESS === 0 && code !== 'rbacForbidden') this.#relist('stalled');
    }
    if (code === 'rbacForbidden') this.#forbidden(true, reason);
    return waitAfter(error, this.#failures, this.#options.random);
  }

  #relist(reason: RelistReason): void {
    this.#relistReason = reason;
    this.#revision = undefined;
    this.#isRevisionUncertain = false;
    this.#abandonList();
  }

  #abandonList(): void {
    this.#arriving?.abandon();
    this.#arriving = undefined;
  }
}
