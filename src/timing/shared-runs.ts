import { ServiceError } from '../errors/service-error.ts';
import { startDeadline, untilAborted, type Deadline } from './deadline.ts';

interface SharedRunsOptions<Subject, Result> {
  /** Subjects of one key are equal. */
  readonly keyOf: (subject: Subject) => string;
  /** The work, within {@link BUDGET_MS}. */
  readonly run: (subject: Subject, deadline: Deadline) => Promise<Result>;
  /** Runs at once, over all keys. */
  readonly atOnce: number;
  /** Undefined where each caller has a seat of the replica: then no more runs wait than there are seats. */
  readonly queue?: {
    /** Runs that wait to begin, over all keys. */
    readonly waiting: number;
    /** The `overloaded` error for a caller who would begin one more. */
    readonly refusal: { readonly message: string; readonly reason: string };
    readonly onRefused?: () => void;
  };
  /** The error for a caller whose own deadline has passed. */
  readonly deadlineExceeded: () => Error;
}

/** A caller who joins later has the remaining time. */
const BUDGET_MS = 15_000;
const RETRY_AFTER_SECONDS = 2;

interface Run<Subject, Result> {
  readonly subject: Subject;
  readonly outcome: PromiseWithResolvers<Result>;
  readonly stop: AbortController;
  callers: number;
}

/**
 * Expensive work, shared by concurrent callers: a caller joins the next run of its key, never one that has begun before,
 * so the result is as fresh as a run of its own. One run at a time for each key, at most `atOnce` over all keys, in the
 * order of their first calls.
 */
export class SharedRuns<Subject, Result extends object | string> {
  readonly #options: SharedRunsOptions<Subject, Result>;
  readonly #running = new Map<string, Run<Subject, Result>>();
  /** Runs that have not begun, the longest waiting first. */
  readonly #next = new Map<string, Run<Subject, Result>>();

  constructor(options: SharedRunsOptions<Subject, Result>) {
    this.#options = options;
  }

  /**
   * The result of a run for this subject, or an equal one, that begins after this call. A caller leaves when its own
   * deadline passes; the others continue to wait. A run without callers is aborted, or never started.
   * @throws {ServiceError} `overloaded`, or whatever `deadlineExceeded` makes
   */
  async join(subject: Subject, deadline: Deadline): Promise<Result> {
    const { keyOf, deadlineExceeded } = this.#options;
    if (deadline.signal.aborted) throw deadlineExceeded();
    const key = keyOf(subject);
    const run = this.#next.get(key) ?? this.#enqueue(key, subject);
    run.callers++;
    this.#beginDue();
    try {
      const result = await untilAborted(run.outcome.promise, deadline.signal);
      if (result === undefined) throw deadlineExceeded();
      return result;
    } finally {
      this.#leave(key, run);
    }
  }

  #enqueue(key: string, subject: Subject): Run<Subject, Result> {
    const { atOnce, queue } = this.#options;
    const beginsNow = this.#running.size < atOnce && !this.#running.has(key);
    if (!beginsNow && queue !== undefined && this.#next.size >= queue.waiting) {
      queue.onRefused?.();
      const { message, reason } = queue.refusal;
      throw new ServiceError('overloaded', message, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const run = {
      subject,
      outcome: Promise.withResolvers<Result>(),
      stop: new AbortController(),
      callers: 0,
    };
    run.outcome.promise.catch(() => undefined); // All callers may have left.
    this.#next.set(key, run);
    return run;
  }

  #beginDue(): void {
    for (const [key, run] of this.#next) {
      if (this.#running.size >= this.#options.atOnce) return;
      if (this.#running.has(key)) continue;
      this.#next.delete(key);
      this.#running.set(key, run);
      void this.#execute(key, run);
    }
  }

  async #execute(key: string, { subject, outcome, stop }: Run<Subject, Result>): Promise<void> {
    try {
      outcome.resolve(await this.#options.run(subject, startDeadline(BUDGET_MS, stop.signal)));
    } catch (error) {
      outcome.reject(error);
    } finally {
      this.#running.delete(key);
      this.#beginDue();
    }
  }

  #leave(key: string, run: Run<Subject, Result>): void {
    run.callers--;
    if (run.callers > 0) return;
    if (this.#next.get(key) === run) this.#next.delete(key);
    else run.stop.abort();
  }
}
