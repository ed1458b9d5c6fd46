import type { Outcome, Reconcile } from '../../controller/controller.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { act, failureOf, stepFields, type Failure, type ReconcilerDependencies } from './act.ts';
import { decide, type DecisionTime, type Live, type LiveState, type Plan, type Step } from './decide.ts';
import {
  isSnapshot,
  partsOf,
  violationOf,
  type IndexedHistory,
  type IndexedSecret,
  type IndexedSnapshot,
  type Violation,
} from '../snapshot/indexed-secret.ts';

/**
 * Makes the function that reconciles the history of one live UID: gather, decide, act. It is level-based: it reads the
 * whole state, so it may run at any time and stop anywhere. A step that fails does not keep the others from being taken.
 *
 * It never writes to a live Secret. Every write names the uid and the revision of the snapshot that the decision was
 * made on.
 */
export function createHistoryReconcile(dependencies: ReconcilerDependencies): Reconcile {
  const { logger, metrics } = dependencies;
  // The store replaces an object with each revision, so these hold for one revision.
  const reported = new WeakSet<IndexedHistory>();
  const annotationFailures = new WeakMap<IndexedHistory, number>();
  const trustedNow = createTrustedTime(dependencies);
  const timeNow = (): DecisionTime => ({
    nowMs: trustedNow(),
    annotationFailedAt: (one) => annotationFailures.get(one),
  });

  const take = async (step: Step, deadline: Deadline): Promise<Failure | undefined> => {
    const failure = await act(dependencies, step, trustedNow, deadline).catch(failureOf);
    const isAnnotation = step.kind === 'annotateOrphan';
    if (failure === undefined || !(failure.kind === 'terminal' || (isAnnotation && failure.isRefused)))
      return failure;
    logger.warn('cannot reconcile history object', { ...stepFields(step), reason: failure.reason });
    const now = trustedNow();
    if (!isAnnotation || now === undefined) return failure;
    annotationFailures.set(step.object, now);
    // Decided again, with what else is known of its time.
    return { ...failure, kind: 'retry' };
  };
  const report = (object: IndexedHistory, problem: Violation): void => {
    if (reported.has(object)) return;
    reported.add(object);
    const { namespace, name, uid, resourceVersion: revision } = object;
    logger.warn('inconsistent history object', { namespace, name, uid, revision, problem });
  };
  return async (key, deadline) => {
    const failures: Failure[] = [];
    let nextInMs = Infinity;
    for (const group of groupsOf(key, dependencies.indexed(key), report)) {
      const plan = await planOf(dependencies, group, timeNow, deadline).catch(failureOf);
      if ('kind' in plan) {
        failures.push(plan);
        continue;
      }
      if (plan.isPostponed === true) metrics.inc('service_history_expiry_postponed_total');
      nextInMs = Math.min(nextInMs, plan.nextInMs ?? Infinity);
      for (const step of plan.steps) {
        const failure = await take(step, deadline);
        if (failure !== undefined) failures.push(failure);
      }
    }
    return outcomeOf(failures, nextInMs);
  };
}

/** What may pass is tried again soon; what does not pass must not delay what time alone makes due. */
function outcomeOf(failures: readonly Failure[], nextInMs: number): Outcome {
  const failure = failures.find(({ kind }) => kind === 'retry') ?? failures[0];
  const due = nextInMs === Infinity ? undefined : { afterMs: nextInMs };
  if (failure === undefined) return due === undefined ? { kind: 'done' } : { kind: 'later', ...due };
  const { kind, reason } = failure;
  return kind === 'retry' ? { kind, reason } : { kind, reason, ...due };
}

/** Snapshots that name the same live Secret. */
interface Group {
  readonly history: readonly IndexedSnapshot[];
  readonly liveName: string;
  readonly liveUid: string;
  /** The live Secret in the watch, together with the history. */
  readonly believed: Live;
}

/** @param report is called for each object that is left out */
function groupsOf(
  key: string,
  objects: readonly IndexedSecret[],
  report: (object: IndexedHistory, violation: Violation) => void,
): readonly Group[] {
  const live = objects.find((one) => one.kind === 'live');
  const believed = { state: stateOf(live), resourceVersion: live?.resourceVersion };
  const consistent = objects.filter((object): object is IndexedSnapshot => {
    if (object.kind === 'live') return false;
    const violation = violationOf(object, live);
    if (violation !== undefined) report(object, violation);
    return violation === undefined && isSnapshot(object);
  });
  const byName = Map.groupBy(consistent, ({ parsed }) => parsed.of);
  return [...byName].map(([liveName, history]) => ({
    history,
    liveName,
    liveUid: partsOf(key).uid,
    believed,
  }));
}

function stateOf(live: { readonly terminating: boolean } | undefined): LiveState {
  if (live === undefined) return 'gone';
  return live.terminating ? 'terminating' : 'present';
}

/**
 * The watch is enough to find that nothing is due. Steps that are due are decided on a live read. The rank of the
 * snapshots is that of the watch: a snapshot that was beyond the limit at that time may be removed whatever has
 * happened since. Only the state of the live Secret is read again.
 */
async function planOf(
  { store, limit, orphanTtlMs }: ReconcilerDependencies,
  { history, liveName, liveUid, believed }: Group,
  timeNow: () => DecisionTime,
  deadline: Deadline,
): Promise<Plan> {
  const rules = { limit, orphanTtlMs };
  const plan = decide(history, believed, rules, timeNow());
  const [first] = history;
  if (first === undefined || plan.steps.every(({ kind }) => kind === 'relabel')) return plan;
  const found = await store.read({ namespace: first.namespace, name: liveName }, deadline);
  const isTerminating = found?.deletionTimestamp !== undefined;
  const state = found?.uid === liveUid ? stateOf({ terminating: isTerminating }) : 'gone';
  return decide(history, { ...believed, state }, rules, timeNow());
}

const MAX_DIFFERENCE_MS = 3_600_000;

/**
 * The cluster's time while the local clock confirms it: a wrong one would begin or end the time to live of every orphan.
 * Undefined also before the first response of the cluster.
 */
function createTrustedTime({
  clusterNow,
  wallNow,
  logger,
}: Pick<ReconcilerDependencies, 'clusterNow' | 'wallNow' | 'logger'>): () => number | undefined {
  let disagree = false;
  return () => {
    const now = clusterNow();
    if (now === undefined) return undefined;
    const didAgree = !disagree;
    disagree = Math.abs(now - wallNow()) > MAX_DIFFERENCE_MS;
    if (disagree && didAgree) logger.warn('cluster time and local clock disagree');
    return disagree ? undefined : now;
  };
}
