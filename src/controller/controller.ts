import { startDeadline, type Deadline } from '../timing/deadline.ts';
import type { Logger, LogFields } from '../observability/logger.ts';
import type { Span, Tracing } from '../observability/tracing.ts';
import type { Clock } from '../timing/clock.ts';
import type { WorkQueue } from './work-queue.ts';

/** The result of one reconcile, by what happens next. Reasons are constants, for the log. */
export type Outcome =
  /** Reconciled: nothing to do until something changes. */
  | { readonly kind: 'done' }
  /** As it should be now; time alone will change that. */
  | { readonly kind: 'later'; readonly afterMs: number }
  /** Failed in a way that may pass: again, with a growing wait. */
  | { readonly kind: 'retry'; readonly reason: string }
  /** Failed in a way that only a change can mend, of the object or of what refuses it; until then it is looked at again. */
  | { readonly kind: 'terminal'; readonly reason: string; readonly afterMs?: number };

/** Reconciles the object of a key, whatever state it is in. */
export type Reconcile = (key: string, deadline: Deadline) => Promise<Outcome>;

export interface ControllerOptions {
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  /** How many keys are reconciled at once. */
  readonly workers: number;
  /** How long one reconcile may take. */
  readonly budgetMs: number;
  readonly observe: (outcome: Outcome['kind'], seconds: number) => void;
  /** The log fields of a key. */
  readonly fieldsOf: (key: string) => LogFields;
  readonly logger: Logger;
  readonly tracing?: Pick<Tracing, 'startWork'> | undefined;
  readonly clock: Clock;
}

/** Works through the queue until `signal` is aborted and the current work has ended. Never rejects. */
export async function runController(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: options.workers }, () => work(options, signal)));
}

async function work(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const { queue, clock, observe, tracing } = options;
  for (let key = await queue.next(); key !== undefined; key = await queue.next()) {
    const begun = clock.now();
    const span = tracing?.startWork('reconcile');
    const reconciled = (): Promise<Outcome> => attempt(options, key, signal);
    const outcome = await (span === undefined ? reconciled() : span.run(reconciled));
    observe(outcome.kind, (clock.now() - begun) / 1_000);
    settle(options, key, outcome, span);
    queue.done(key);
  }
}

async function attempt(
  { reconcile, budgetMs }: ControllerOptions,
  key: string,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await reconcile(key, startDeadline(budgetMs, signal));
  } catch (bug) {
    // The message may quote an object, so only the class is logged. A retry would not help.
    return { kind: 'terminal', reason: `reconcileBug:${bug instanceof Error ? bug.name : typeof bug}` };
  }
}

/** The one place that acts on an outcome. */
function settle(
  { queue, logger, fieldsOf }: ControllerOptions,
  key: string,
  outcome: Outcome,
  span: Span | undefined,
): void {
  const fields = { ...fieldsOf(key), traceId: span?.traceId };
  endSpan(span, outcome, fields);
  switch (outcome.kind) {
    case 'done':
      queue.forget(key);
      return;
    case 'later':
      queue.forget(key);
      queue.addAfter(key, outcome.afterMs);
      return;
    case 'retry':
      logger.info('reconcile will be retried', { ...fields, reason: outcome.reason });
      queue.retry(key);
      return;
    case 'terminal':
      logger.error('reconcile failed permanently', { ...fields, reason: outcome.reason });
      queue.forget(key);
      if (outcome.afterMs !== undefined) queue.addAfter(key, outcome.afterMs);
  }
}

function endSpan(span: Span | undefined, outcome: Outcome, { namespace }: LogFields): void {
  const failed = outcome.kind === 'retry' || outcome.kind === 'terminal';
  span?.end({
    attributes: {
      'reconcile.outcome': outcome.kind,
      ...(typeof namespace === 'string' && { 'k8s.namespace.name': namespace }),
      ...(failed && { 'error.type': outcome.reason }),
    },
    failed,
  });
}
