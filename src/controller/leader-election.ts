import { backOffMs } from '../timing/back-off.ts';
import type { Clock } from '../timing/clock.ts';
import { startCall, type Call } from '../timing/deadline.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { LeaseStore, LeaseTerm, StoredLease } from '../history/reconciler/ports.ts';

/**
 * Leader election over a Lease, after the model of client-go: one replica holds the Lease and renews it; another takes
 * it over only when it has itself watched the record stand still for the whole duration. No clock of another machine
 * is ever compared with the own one.
 */
export interface Leadership {
  /** Contends until `signal` is aborted, then gives up a Lease that is held. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Whole milliseconds for which this replica may still act: 0 once a renewal is overdue. It is over before any other
   * replica may begin, with time to spare for a write that is under way.
   */
  remainingMs(): number;
}

/** The times of client-go, each leaving room for the next. */
export interface LeaseTimes {
  /** How long others wait, once the record stands still. */
  readonly durationMs: number;
  /** How long the holder acts after it began its last successful renewal. */
  readonly actMs: number;
  /** Between two attempts to renew or to acquire. */
  readonly retryMs: number;
}

export const LEASE_TIMES: LeaseTimes = { durationMs: 15_000, actMs: 10_000, retryMs: 2_000 };

const LONGEST_PAUSE_MS = 30_000;
/** As the jitter factor of client-go: never sooner than the step. */
const PAUSE_SPREAD = { from: 1, to: 1.2 };

export interface LeadershipOptions {
  readonly lease: Pick<LeaseStore, 'read' | 'create' | 'replace'>;
  /** What a Lease that has to be made anew carries. */
  readonly annotations: ReadonlyMap<string, string>;
  /** This replica, unlike any other. */
  readonly identity: string;
  /** A term begins: acts until `term` is aborted. The Lease is not given up before it has ended. */
  readonly lead: (term: AbortSignal) => Promise<void>;
  /** Told about what goes wrong, with a constant reason. */
  readonly onFailure: (code: string, reason: string | undefined) => void;
  readonly onChange: (leads: boolean) => void;
  readonly clock: Clock;
  /** Gives 0 to 1. */
  readonly random: () => number;
  readonly times?: LeaseTimes;
}

export function createLeadership(options: LeadershipOptions): Leadership {
  return new Contender(options);
}

/** What is known of the record, and since when by the own clock it has stood still. */
interface Observation {
  readonly lease: StoredLease;
  readonly since: number;
}

class Contender implements Leadership {
  readonly #options: LeadershipOptions;
  readonly #times: LeaseTimes;
  #observed: Observation | undefined;
  /** Until when this replica may act; undefined while it does not hold the Lease. */
  #actUntil: number | undefined;
  /** Since an attempt last went well. */
  #failures = 0;
  #term: { readonly end: AbortController; readonly over: Promise<void> } | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#times = options.times ?? LEASE_TIMES;
  }

  remainingMs(): number {
    if (this.#actUntil === undefined) return 0;
    // Whole milliseconds, as timers take them.
    return Math.max(Math.floor(this.#actUntil - this.#options.clock.now()), 0);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await this.#attempt(signal);
      await this.#sleep(this.#pauseMs(), signal, clock.now());
    }
    await this.#endTerm();
    await this.#release();
  }

  /** The holder keeps its pace. Contenders spread out, and come less often while they fail. */
  #pauseMs(): number {
    const { retryMs } = this.#times;
    if (this.#term !== undefined) return retryMs;
    const { random } = this.#options;
    return backOffMs(this.#failures + 1, {
      firstMs: retryMs,
      longestMs: LONGEST_PAUSE_MS,
      spread: PAUSE_SPREAD,
      random,
    });
  }

  /** Sleeps, but ends the term in time when it runs out meanwhile. */
  async #sleep(ms: number, signal: AbortSignal, from: number): Promise<void> {
    const { clock } = this.#options;
    const left = this.remainingMs();
    if (this.#term !== undefined && left < ms) {
      await clock.sleep(left, signal);
      await this.#endTermIfOver();
    }
    await clock.sleep(Math.max(from + ms - clock.now(), 0), signal);
  }

  /** One attempt to renew or to acquire; a hanging one leaves time for another within the term. */
  async #attempt(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await this.#endTermIfOver();
    const begun = clock.now();
    const half = this.#times.actMs / 2;
    const budget = this.#term === undefined ? half : Math.min(half, this.remainingMs());
    try {
      const held = await this.#acquireOrRenew(startCall(budget, signal));
      this.#failures = 0;
      if (held) this.#holdFrom(begun);
      else await this.#endTerm();
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
    await this.#endTermIfOver();
  }

  async #acquireOrRenew(call: Call): Promise<boolean> {
    if (this.#term !== undefined && this.#observed !== undefined) {
      try {
        // The holder renews the revision that it wrote itself, without looking first.
        return await this.#take(this.#observed.lease, call);
      } catch (error) {
        if (!isServiceError(error, 'conflict', 'notFound')) throw error;
      }
    }
    const { lease, annotations } = this.#options;
    const current = await lease.read(call);
    if (current === undefined) {
      this.#observe(await lease.create(this.#newTerm(0), annotations, call));
      return true;
    }
    this.#observe(current);
    return this.#mayTake(current) && (await this.#take(current, call));
  }

  async #take(current: StoredLease, call: Call): Promise<true> {
    const { lease, identity, clock } = this.#options;
    const renewed = { ...current, durationSeconds: this.#durationSeconds(), renewedAt: clock.wallNow() };
    const term = current.holder === identity ? renewed : this.#newTerm(current.transitions + 1);
    this.#observe(await lease.replace(current, term, call));
    return true;
  }

  #failed(error: unknown): void {
    const known = isServiceError(error) ? error : undefined;
    // Two contenders at once: one of them wins, which is as it should be.
    if (known?.code === 'conflict' || known?.code === 'exists') return;
    this.#failures++;
    this.#options.onFailure(known?.code ?? 'internal', known?.reason);
  }

  /** The own Lease, one that was given up, and one that has stood still for as long as its holder may hold it. */
  #mayTake({ holder, durationSeconds }: StoredLease): boolean {
    if (holder === '' || holder === this.#options.identity) return true;
    const stoodStillMs = this.#options.clock.now() - (this.#observed?.since ?? Infinity);
    return stoodStillMs >= Math.max(durationSeconds * 1_000, this.#times.durationMs);
  }

  #observe(lease: StoredLease): void {
    if (this.#observed?.lease.resourceVersion === lease.resourceVersion) return;
    this.#observed = { lease, since: this.#options.clock.now() };
  }

  #newTerm(transitions: number): LeaseTerm {
    const now = this.#options.clock.wallNow();
    return {
      holder: this.#options.identity,
      durationSeconds: this.#durationSeconds(),
      acquiredAt: now,
      renewedAt: now,
      transitions,
    };
  }

  #durationSeconds(): number {
    return Math.ceil(this.#times.durationMs / 1_000);
  }

  /** Counted from when the request was sent: others count from later, when they see what it wrote. */
  #holdFrom(begun: number): void {
    this.#actUntil = begun + this.#times.actMs;
    if (this.#term !== undefined || this.remainingMs() === 0) return;
    const end = new AbortController();
    this.#options.onChange(true);
    this.#term = { end, over: this.#options.lead(end.signal) };
  }

  async #endTermIfOver(): Promise<void> {
    if (this.#term !== undefined && this.remainingMs() === 0) await this.#endTerm();
  }

  async #endTerm(): Promise<void> {
    const term = this.#term;
    if (term === undefined) return;
    term.end.abort();
    this.#options.onChange(false);
    await term.over;
    this.#term = undefined;
    this.#actUntil = undefined;
  }

  /** Lets another replica begin at once instead of after the whole duration. */
  async #release(): Promise<void> {
    const { lease, identity, clock } = this.#options;
    const current = this.#observed?.lease;
    if (current?.holder !== identity) return;
    const now = clock.wallNow();
    const given = { ...current, holder: '', durationSeconds: 1, acquiredAt: now, renewedAt: now };
    await lease.replace(current, given, startCall(this.#times.retryMs)).catch((error: unknown) => {
      this.#failed(error); // the others then wait for it to run out
    });
  }
}
