import { backOffMs } from '../timing/back-off.ts';
import type { Clock } from '../timing/clock.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { LeaseStore, LeaseTerm, StoredLease } from '../kube/lease.ts';

/** The defaults of client-go: LeaseDuration, for which other replicas wait after the record last changed, … */
const LEASE_DURATION_MS = 15_000;
/** … RenewDeadline, for which the leader acts after the start of its last successful renewal, … */
const RENEW_DEADLINE_MS = 10_000;
/** … and RetryPeriod, between two attempts to acquire or renew. */
const RETRY_PERIOD_MS = 2_000;

/** With the jitter factor of client-go: never sooner than the step. */
const PAUSES = { firstMs: RETRY_PERIOD_MS, longestMs: 30_000, spread: { from: 1, to: 1.2 } };

export interface LeaderElectorOptions {
  readonly lease: Pick<LeaseStore, 'read' | 'create' | 'replace'>;
  /** The annotations of the Lease from the start of a term on. @param current those that it has; none if it is created */
  readonly annotationsOf: (current: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;
  /** Unique to this replica. */
  readonly identity: string;
  /** Runs while this replica leads, until `term` is aborted. The Lease is not released before it has settled. */
  readonly onStartedLeading: (term: AbortSignal) => Promise<void>;
  readonly onStoppedLeading: () => void;
  /** An attempt failed; `reason` is a constant. */
  readonly onFailure: (code: string, reason: string | undefined) => void;
  readonly clock: Clock;
  /** Returns 0 to 1. */
  readonly random: () => number;
}

/**
 * Leader election over a Lease, as in client-go: one replica holds the Lease and renews it. Another replica acquires it
 * only after it has observed an unchanged record for LeaseDuration on its own monotonic clock. Clocks of different
 * machines are never compared.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  /** The record as last read or written, … */
  #observed: StoredLease | undefined;
  /** … and when this replica first saw it unchanged. */
  #observedSince = Infinity;
  /** Undefined while this replica does not hold the Lease. */
  #renewDeadline: number | undefined;
  /** Consecutive failed attempts. */
  #failedAttempts = 0;
  #term: { readonly end: AbortController; readonly over: Promise<void> } | undefined;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
  }

  /**
   * Whole milliseconds until the renew deadline: 0 when this replica must not act. It passes before any other replica
   * may begin, with enough time between them for a write in flight.
   */
  remainingMs(): number {
    if (this.#renewDeadline === undefined) return 0;
    // Whole milliseconds, as timers take them.
    return Math.max(Math.floor(this.#renewDeadline - this.#options.clock.now()), 0);
  }

  /** Tries to acquire and to renew until `signal` is aborted, then releases the Lease if it is held. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await this.#attempt(signal);
      await this.#sleep(this.#pauseMs(), signal, clock.now());
    }
    await this.#endTerm();
    await this.#release();
  }

  /** The leader renews every RetryPeriod. Other replicas add jitter, and back off while attempts fail. */
  #pauseMs(): number {
    if (this.#term !== undefined) return RETRY_PERIOD_MS;
    return backOffMs(this.#failedAttempts + 1, { ...PAUSES, random: this.#options.random });
  }

  /** Sleeps, and ends the term at its renew deadline. */
  async #sleep(ms: number, signal: AbortSignal, from: number): Promise<void> {
    const { clock } = this.#options;
    const left = this.remainingMs();
    if (this.#term !== undefined && left < ms) {
      await clock.sleep(left, signal);
      await this.#endTermIfOver();
    }
    await clock.sleep(Math.max(from + ms - clock.now(), 0), signal);
  }

  /** One attempt to acquire or renew. Its timeout leaves time for a second attempt before the renew deadline. */
  async #attempt(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await this.#endTermIfOver();
    const begun = clock.now();
    const half = RENEW_DEADLINE_MS / 2;
    const budget = this.#term === undefined ? half : Math.min(half, this.remainingMs());
    try {
      const held = await this.#acquireOrRenew(startDeadline(budget, signal));
      this.#failedAttempts = 0;
      if (held) this.#extendTerm(begun);
      else await this.#endTerm();
    } catch (error) {
      // What the stop cuts off is no failure, but it may have been stored.
      if (signal.aborted) this.#failedAttempts++;
      else this.#failed(error);
    }
    await this.#endTermIfOver();
  }

  async #acquireOrRenew(deadline: Deadline): Promise<boolean> {
    if (this.#term !== undefined && this.#observed !== undefined) {
      try {
        // The leader renews the revision that it wrote, without a read first.
        return await this.#acquire(this.#observed, deadline);
      } catch (error) {
        if (!isServiceError(error, 'conflict', 'notFound')) throw error;
      }
    }
    const { lease, annotationsOf } = this.#options;
    const current = await lease.read(deadline);
    if (current === undefined) {
      this.#observe(await lease.create(this.#newTerm(0), annotationsOf(new Map()), deadline));
      return true;
    }
    this.#observe(current);
    return this.#canAcquire(current) && (await this.#acquire(current, deadline));
  }

  async #acquire(current: StoredLease, deadline: Deadline): Promise<true> {
    const { lease, annotationsOf, identity, clock } = this.#options;
    const renewed = { ...current, durationSeconds: LEASE_DURATION_MS / 1_000, renewedAt: clock.wallNow() };
    const isHeld = current.holder === identity;
    const term = isHeld ? renewed : this.#newTerm(current.transitions + 1);
    const annotations = isHeld ? current.annotations : annotationsOf(current.annotations);
    this.#observe(await lease.replace({ ...current, annotations }, term, deadline));
    return true;
  }

  #failed(error: unknown): void {
    const known = isServiceError(error) ? error : undefined;
    // Another replica acquired the Lease first.
    if (known?.code === 'conflict' || known?.code === 'exists') return;
    this.#failedAttempts++;
    this.#options.onFailure(known?.code ?? 'internal', known?.reason);
  }

  /** Its own Lease, a released one, and one unchanged for the longer of both durations. */
  #canAcquire({ holder, durationSeconds }: StoredLease): boolean {
    if (holder === '' || holder === this.#options.identity) return true;
    const unchangedMs = this.#options.clock.now() - this.#observedSince;
    return unchangedMs >= Math.max(durationSeconds * 1_000, LEASE_DURATION_MS);
  }

  #observe(lease: StoredLease): void {
    if (this.#observed?.resourceVersion === lease.resourceVersion) return;
    this.#observed = lease;
    this.#observedSince = this.#options.clock.now();
  }

  #newTerm(transitions: number): LeaseTerm {
    const now = this.#options.clock.wallNow();
    return {
      holder: this.#options.identity,
      durationSeconds: LEASE_DURATION_MS / 1_000,
      acquiredAt: now,
      renewedAt: now,
      transitions,
    };
  }

  /** The deadline counts from before the request was sent; other replicas count from after they observed its effect. */
  #extendTerm(begun: number): void {
    this.#renewDeadline = begun + RENEW_DEADLINE_MS;
    if (this.#term !== undefined || this.remainingMs() === 0) return;
    const end = new AbortController();
    this.#term = { end, over: this.#options.onStartedLeading(end.signal) };
  }

  async #endTermIfOver(): Promise<void> {
    if (this.#term !== undefined && this.remainingMs() === 0) await this.#endTerm();
  }

  async #endTerm(): Promise<void> {
    const term = this.#term;
    if (term === undefined) return;
    term.end.abort();
    this.#options.onStoppedLeading();
    await term.over;
    this.#term = undefined;
    this.#renewDeadline = undefined;
  }

  /**
   * Releases the Lease, so that another replica acquires it at once instead of after LeaseDuration. It is read before: an
   * attempt that failed, or that the stop cut off, may have been stored, or may be while this is going on.
   */
  async #release(deadline = startDeadline(RETRY_PERIOD_MS)): Promise<void> {
    const { lease, identity, clock } = this.#options;
    if (this.#observed?.holder !== identity && this.#failedAttempts === 0) return;
    try {
      const current = await lease.read(deadline);
      if (current?.holder !== identity) return;
      const now = clock.wallNow();
      const released = { ...current, holder: '', durationSeconds: 1, acquiredAt: now, renewedAt: now };
      await lease.replace(current, released, deadline);
    } catch (error) {
      if (isServiceError(error, 'conflict') && deadline.remainingMs() > 0) return this.#release(deadline);
      this.#failed(error); // the other replicas then wait for LeaseDuration
    }
  }
}
