import { startDeadline, type Deadline } from '../../timing/deadline.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import {
  decide,
  violationOf,
  type Live,
  type LiveState,
  type Plan,
  type Rules,
  type Step,
  type Violation,
} from './decide.ts';
import type { SecretMetadataStore } from './ports.ts';
import {
  isSnapshot,
  partsOf,
  type IndexedSecret,
  type IndexedHistory,
  type IndexedLive,
  type IndexedSnapshot,
} from './indexed-secret.ts';

// The reconciler's public entry.
export { keyOf, keyOfHistory, partsOf, toIndexed } from './indexed-secret.ts';
export type { IndexedHistory, IndexedLive, IndexedSecret } from './indexed-secret.ts';
export { stateOfSnapshot, type SnapshotStatistics } from './snapshot-statistics.ts';

/** The result of one reconcile, by what happens next. Reasons are constants, for the log. */
export type ReconcileOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'retry'; readonly reason: string }
  | { readonly kind: 'terminal'; readonly reason: string };

/** Called with problems and completed steps, for the log and for metrics. */
export interface ReconcilerObserver {
  /** Once per revision of the object. */
  inconsistent(object: IndexedHistory, violation: Violation): void;
  /** The cluster has accepted the step. */
  stepDone(step: Step['kind'], object: IndexedHistory): void;
}

export interface ReconcilerDependencies extends Rules {
  readonly codec: Pick<AnnotationCodec, 'orphanedAt' | 'notFinal'>;
  /** The live Secret and the objects that claim to be its history, by key. */
  readonly indexed: (key: string) => readonly IndexedSecret[];
  readonly store: SecretMetadataStore;
  /** Checked before each write. The write ends before this time. */
  readonly remainingMs: () => number;
  readonly observer: ReconcilerObserver;
  /**
   * The cluster's time: the age of orphans outlives replicas, and a leader with a wrong clock must not remove them
   * early. Undefined until the first response of the cluster.
   */
  readonly clusterNow: () => number | undefined;
}

/** How many keys are reconciled at once, and the time limit of one reconcile. */
export const RECONCILE_LIMITS = { workers: 2, budgetMs: 60_000 } as const;

export type HistoryReconcile = (key: string, deadline: Deadline) => Promise<ReconcileOutcome>;

/**
 * Makes the function that reconciles the history of one live UID: gather, decide, act. It is level-based: it reads the
 * whole state, so it may run at any time and stop anywhere.
 *
 * It never writes to a live Secret. Every write names the uid and the revision of the snapshot that the decision was
 * made on.
 */
export function createHistoryReconcile(dependencies: ReconcilerDependencies): HistoryReconcile {
  // The store replaces an object with each revision, so this reports each revision once.
  const reported = new WeakSet<IndexedHistory>();
  return async (key, deadline) => {
    try {
      const { groups, reports } = gather(dependencies, key);
      for (const { object, violation } of reports) {
        if (reported.has(object)) continue;
        reported.add(object);
        dependencies.observer.inconsistent(object, violation);
      }
      let nextInMs: number | undefined;
      for (const group of groups) {
        const plan = await planOf(dependencies, group, partsOf(key).uid, deadline);
        for (const step of plan.steps) await act(dependencies, step, deadline);
        if (plan.nextInMs !== undefined) nextInMs = Math.min(plan.nextInMs, nextInMs ?? Infinity);
      }
      return nextInMs === undefined ? { kind: 'done' } : { kind: 'later', afterMs: nextInMs };
    } catch (error) {
      return outcomeOf(error);
    }
  };
}

/** Snapshots that name the same live Secret. */
interface Group {
  readonly history: readonly IndexedSnapshot[];
  readonly liveName: string;
  /** The live Secret in the watch, together with the history. */
  readonly believed: Live;
}

interface Gathered {
  readonly groups: readonly Group[];
  readonly reports: readonly { readonly object: IndexedHistory; readonly violation: Violation }[];
}

function gather({ indexed }: ReconcilerDependencies, key: string): Gathered {
  const all = indexed(key);
  const live = all.find((one): one is IndexedLive => one.kind === 'live');
  const reports: { object: IndexedHistory; violation: Violation }[] = [];
  const byName = new Map<string, IndexedSnapshot[]>();
  for (const object of all) {
    if (object.kind === 'live') continue;
    const violation = violationOf(object, live);
    if (violation !== undefined) reports.push({ object, violation });
    else if (isSnapshot(object))
      byName.set(object.parsed.of, [...(byName.get(object.parsed.of) ?? []), object]);
  }
  const believed = { state: stateOf(live), resourceVersion: live?.resourceVersion };
  return {
    reports,
    groups: [...byName].map(([liveName, history]) => ({ liveName, history, believed })),
  };
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
  { store, clusterNow, limit, orphanTtlMs }: ReconcilerDependencies,
  { history, liveName, believed }: Group,
  uid: string,
  deadline: Deadline,
): Promise<Plan> {
  const rules = { limit, orphanTtlMs };
  const plan = decide(history, believed, rules, requireTime(clusterNow));
  const [first] = history;
  if (first === undefined || plan.steps.every(({ kind }) => kind === 'relabel')) return plan;
  const found = await store.read({ namespace: first.namespace, name: liveName }, deadline);
  const state = found?.uid === uid ? stateOf({ terminating: found.deletionTimestamp !== undefined }) : 'gone';
  return decide(history, { ...believed, state }, rules, requireTime(clusterNow));
}

/** There was no response of the cluster yet. Every response has its time. */
class TimeUnknown extends Error {}

function requireTime(clusterNow: () => number | undefined): number {
  const now = clusterNow();
  if (now === undefined) throw new TimeUnknown();
  return now;
}

/** This replica must no longer act. Another one will. */
class TermOver extends Error {}

async function act(dependencies: ReconcilerDependencies, step: Step, deadline: Deadline): Promise<void> {
  const { store, codec, remainingMs, observer, clusterNow } = dependencies;
  const { object } = step;
  const left = remainingMs();
  if (left <= 0) throw new TermOver();
  const write = startDeadline(left, deadline.signal);
  try {
    switch (step.kind) {
      case 'relabel':
        await store.patchMetadata(object, object, { labels: step.labels }, write);
        break;
      case 'annotateOrphan': {
        const annotations = codec.orphanedAt(new Date(requireTime(clusterNow)));
        await store.patchMetadata(object, object, { annotations }, write);
        break;
      }
      case 'clearOrphan':
        await store.patchMetadata(object, object, { annotations: codec.orphanedAt(undefined) }, write);
        break;
      case 'clearFinal':
        await store.patchMetadata(object, object, codec.notFinal, write);
        break;
      case 'prune':
      case 'removeOrphan':
        await store.delete(object, object, write);
    }
    observer.stepDone(step.kind, object);
  } catch (error) {
    // Gone already, so there is nothing to remove or to patch.
    if (!isServiceError(error, 'notFound')) throw error;
  }
}

function outcomeOf(error: unknown): ReconcileOutcome {
  if (error instanceof TermOver) return { kind: 'retry', reason: 'leadershipOver' };
  if (error instanceof TimeUnknown) return { kind: 'retry', reason: 'clusterTimeUnknown' };
  if (!isServiceError(error)) throw error;
  const reason = error.reason ?? error.code;
  switch (error.code) {
    case 'conflict': // The watch has not caught up yet.
    case 'unavailable':
    case 'uncertain':
    case 'rightMissing':
    case 'admissionRefused':
      return { kind: 'retry', reason };
    default:
      return { kind: 'terminal', reason };
  }
}
