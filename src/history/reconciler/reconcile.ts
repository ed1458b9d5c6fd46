import type { Outcome } from '../../controller/controller.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { MetadataChange } from '../../kube/secret.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { startDeadline, type Deadline } from '../../timing/deadline.ts';
import type { SecretMetadataStore } from '../ports.ts';
import {
  partsOf,
  violationOf,
  type IndexedHistory,
  type IndexedLive,
  type IndexedSecret,
  type IndexedSnapshot,
} from '../snapshot/indexed-secret.ts';
import { decide, type Live, type Plan, type Rules, type Step } from './decide.ts';

export interface ReconcilerDependencies extends Pick<Rules, 'limit' | 'orphanTtlMs'> {
  readonly codec: Pick<AnnotationCodec, 'orphanedAt' | 'notFinal'>;
  /** The live Secret and the objects that claim to be its history, by key. */
  readonly indexed: (key: string) => readonly IndexedSecret[];
  readonly store: SecretMetadataStore;
  /** Checked before each write. The write ends before this time. */
  readonly remainingMs: () => number;
  /** The cluster's time: the age of orphans outlives replicas. Undefined until the first response of the cluster. */
  readonly clusterNow: () => number | undefined;
  /** The local clock, which only confirms the cluster's. */
  readonly wallNow: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'inc'>;
}

/** A failed step or read, by what happens next. */
type Failure = Extract<Outcome, { readonly reason: string }>;

const MAX_DIFFERENCE_MS = 3_600_000;

/**
 * Reconciles the history of one live UID: gather, decide, act. It is level-based: it reads the whole state, so it may run
 * at any time and stop anywhere. A step that fails does not keep the others from being taken.
 *
 * It never writes to a live Secret. Every write names the uid and the revision of the snapshot that the decision was
 * made on.
 */
export class HistoryReconciler {
  readonly #dependencies: ReconcilerDependencies;
  // The store replaces an object with each revision, so these hold for one revision.
  readonly #reported = new WeakSet<IndexedHistory>();
  readonly #annotationFailures = new WeakMap<IndexedHistory, number>();
  #clocksDisagree = false;

  constructor(dependencies: ReconcilerDependencies) {
    this.#dependencies = dependencies;
  }

  async reconcile(key: string, deadline: Deadline): Promise<Outcome> {
    const objects = this.#dependencies.indexed(key);
    const live = objects.find((one) => one.kind === 'live');
    const snapshots = objects.filter(
      (one): one is IndexedSnapshot => one.kind === 'history' && this.#isConsistent(one, live),
    );
    const failures: Failure[] = [];
    let nextInMs = Infinity;
    for (const [name, history] of Map.groupBy(snapshots, ({ parsed }) => parsed.of)) {
      const plan = await this.#planOf(history, live, { ...partsOf(key), name }, deadline).catch(failureOf);
      if ('kind' in plan) {
        failures.push(plan);
        continue;
      }
      if (plan.isPostponed === true) this.#dependencies.metrics.inc('service_history_expiry_postponed_total');
      nextInMs = Math.min(nextInMs, plan.nextInMs ?? Infinity);
      for (const step of plan.steps) {
        const failure = await this.#take(step, deadline);
        if (failure !== undefined) failures.push(failure);
      }
    }
    return outcomeOf(failures, nextInMs);
  }

  /** What is inconsistent is left alone, and reported once for each revision. */
  #isConsistent(object: IndexedHistory, live: IndexedLive | undefined): object is IndexedSnapshot {
    const problem = violationOf(object, live);
    if (problem === undefined) return true;
    if (!this.#reported.has(object)) {
      this.#reported.add(object);
      const { namespace, name, uid, resourceVersion: revision } = object;
      const fields = { namespace, name, uid, revision, problem };
      this.#dependencies.logger.warn('inconsistent history object', fields);
    }
    return false;
  }

  /**
   * The watch is enough to find that nothing is due. Due steps are decided from a live read of the Secret. The rank of the
   * snapshots stays that of the watch: a snapshot that was beyond the limit at that time may be removed whatever has
   * happened since. Only the state of the live Secret is read again.
   */
  async #planOf(
    history: readonly IndexedSnapshot[],
    watched: IndexedLive | undefined,
    { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
    deadline: Deadline,
  ): Promise<Plan> {
    const decideFor = (state: Live['state']) =>
      decide(history, { state, resourceVersion: watched?.resourceVersion }, this.#rules());
    const plan = decideFor(stateOf(watched));
    if (plan.steps.every(({ kind }) => kind === 'relabel')) return plan;
    const found = await this.#dependencies.store.read({ namespace, name }, deadline);
    const terminating = found?.deletionTimestamp !== undefined;
    return decideFor(found?.uid === uid ? stateOf({ terminating }) : 'gone');
  }

  /** Takes one step. Undefined when the cluster has accepted it, or the object is gone already. */
  async #take(step: Step, deadline: Deadline): Promise<Failure | undefined> {
    const { logger, metrics } = this.#dependencies;
    const { kind, object } = step;
    const fields = { step: kind, namespace: object.namespace, name: object.name, uid: object.uid };
    try {
      await this.#write(step, deadline);
      metrics.inc('service_history_steps_total', { step: kind });
      logger.info('reconciled history object', fields);
      return undefined;
    } catch (error) {
      // Gone already, so there is nothing to remove or to patch.
      if (isServiceError(error, 'notFound')) return undefined;
      const failure = failureOf(error);
      if (failure.kind !== 'terminal') return failure;
      logger.warn('cannot reconcile history object', { ...fields, reason: failure.reason });
      const now = this.#trustedNow();
      if (kind !== 'annotateOrphan' || now === undefined) return failure;
      this.#annotationFailures.set(object, now);
      // Decided again, with what else is known of its time.
      return { kind: 'retry', reason: failure.reason };
    }
  }

  async #write(step: Step, deadline: Deadline): Promise<void> {
    const { store, remainingMs } = this.#dependencies;
    const { object } = step;
    const left = remainingMs();
    if (left <= 0) throw notNow('leadershipOver');
    const write = startDeadline(left, deadline.signal);
    const change = this.#changeOf(step);
    if (change === undefined) await store.delete(object, object, write);
    else await store.patchMetadata(object, object, change, write);
  }

  /** What a step changes of its snapshot; undefined for one that removes it. */
  #changeOf({ kind, object }: Step): MetadataChange | undefined {
    const { codec } = this.#dependencies;
    switch (kind) {
      case 'relabel':
        return { labels: object.parsed.lostLabels };
      case 'annotateOrphan':
        return { annotations: codec.orphanedAt(new Date(this.#requireTime())) };
      case 'clearOrphan':
        return { annotations: codec.orphanedAt(undefined) };
      case 'clearFinal':
        return codec.notFinal;
      case 'removeOrphan':
        this.#requireTime();
        return undefined;
      case 'prune':
        return undefined;
    }
  }

  #rules(): Rules {
    const { limit, orphanTtlMs } = this.#dependencies;
    const annotationFailedAt: Rules['annotationFailedAt'] = (one) => this.#annotationFailures.get(one);
    return { limit, orphanTtlMs, nowMs: this.#trustedNow(), annotationFailedAt };
  }

  #requireTime(): number {
    const now = this.#trustedNow();
    if (now === undefined) throw notNow('timeNotTrusted');
    return now;
  }

  /**
   * The cluster's time while the local clock confirms it: a wrong one would begin or end the time to live of every orphan.
   * Undefined also before the first response of the cluster.
   */
  #trustedNow(): number | undefined {
    const { clusterNow, wallNow, logger } = this.#dependencies;
    const now = clusterNow();
    if (now === undefined) return undefined;
    const didAgree = !this.#clocksDisagree;
    this.#clocksDisagree = Math.abs(now - wallNow()) > MAX_DIFFERENCE_MS;
    if (this.#clocksDisagree && didAgree) logger.warn('cluster time and local clock disagree');
    return this.#clocksDisagree ? undefined : now;
  }
}

function stateOf(live: { readonly terminating: boolean } | undefined): Live['state'] {
  if (live === undefined) return 'gone';
  return live.terminating ? 'terminating' : 'present';
}

/** This replica must not take the step now. */
function notNow(reason: string): ServiceError {
  return new ServiceError('unavailable', 'The history cannot be reconciled now', { reason });
}

/** A conflict: the watch has not caught up yet. */
const MAY_PASS = ['conflict', 'unavailable', 'uncertain', 'rbacForbidden'] as const;
/** A webhook or a policy may refuse a step permanently, which an alert must show. No watch event reports its end. */
const REFUSED_RETRY_MS = 5 * 60_000;

/** @throws a bug */
function failureOf(error: unknown): Failure {
  if (!isServiceError(error)) throw error;
  const reason = error.reason ?? error.code;
  const refused = isServiceError(error, 'admissionRefused') && { afterMs: REFUSED_RETRY_MS };
  if (isServiceError(error, ...MAY_PASS)) return { kind: 'retry', reason };
  return { kind: 'terminal', reason, ...refused };
}

/** What may pass is tried again soon; what does not pass must not delay what time alone makes due. */
function outcomeOf(failures: readonly Failure[], nextInMs: number): Outcome {
  const failure = failures.find(({ kind }) => kind === 'retry') ?? failures[0];
  const refused = failures.map((one) => (one.kind === 'terminal' ? one.afterMs : undefined) ?? Infinity);
  const afterMs = Math.min(nextInMs, ...refused);
  const due = afterMs === Infinity ? undefined : { afterMs };
  if (failure === undefined) return due === undefined ? { kind: 'done' } : { kind: 'later', ...due };
  const { kind, reason } = failure;
  return kind === 'retry' ? { kind, reason } : { kind, reason, ...due };
}
