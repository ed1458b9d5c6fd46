import { beyondLimit, isReplaced } from '../snapshot/rank.ts';
import type { IndexedSnapshot } from '../snapshot/indexed-secret.ts';

/** The live Secret that a UID belongs to, at the time of the decision. */
export interface Live {
  readonly state: 'present' | 'terminating' | 'gone';
  /** Undefined if unknown: then nothing is beyond the limit. */
  readonly resourceVersion: string | undefined;
}

/** What is done to one snapshot. */
export interface Step {
  readonly kind: StepKind;
  readonly object: IndexedSnapshot;
}

type StepKind =
  /** Labels that it has lost are restored. */
  | 'relabel'
  | 'prune'
  /** The live Secret is gone: the time to live of its history begins. */
  | 'annotateOrphan'
  /** The live Secret is there after all, as after a restored backup of the cluster. */
  | 'clearOrphan'
  /** The live Secret has changed since: the deletion that the snapshot was made for has failed. */
  | 'clearFinal'
  | 'removeOrphan';

/** What a decision depends on besides the objects. */
export interface Rules {
  /** Snapshots kept per live Secret. */
  readonly limit: number;
  /** How long orphans are kept; undefined for ever. */
  readonly orphanTtlMs: number | undefined;
  /** The cluster's time; undefined while it cannot be trusted: then nothing expires. */
  readonly nowMs: number | undefined;
  /** When storing the orphaned-at annotation on this object has failed permanently. */
  readonly annotationFailedAt: (object: IndexedSnapshot) => number | undefined;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** When the next step is due because of time alone. */
  readonly nextInMs?: number | undefined;
  /** Orphans are not looked at, since the time is not known. */
  readonly isPostponed?: true;
}

/**
 * Decides the steps for the snapshots of one live Secret. Pure: only the returned steps are taken.
 * @param history as it was stored at one point in time
 */
export function decide(history: readonly IndexedSnapshot[], live: Live, rules: Rules): Plan {
  const lost = history.filter(({ parsed }) => parsed.lostLabels.size > 0);
  // Missing labels are restored first, and the snapshot is part of the next plan. A terminating one is left alone.
  const bound = history.filter(({ parsed, terminating }) => parsed.lostLabels.size === 0 && !terminating);
  const plan = planFor(bound, live, rules);
  return { ...plan, steps: [...stepsOf('relabel', lost), ...plan.steps] };
}

function stepsOf(kind: StepKind, objects: readonly IndexedSnapshot[]): readonly Step[] {
  return objects.map((object) => ({ kind, object }));
}

function planFor(
  bound: readonly IndexedSnapshot[],
  { state, resourceVersion }: Live,
  { limit, orphanTtlMs, nowMs, annotationFailedAt }: Rules,
): Plan {
  if (state === 'present') {
    const restored = bound.filter(({ parsed }) => parsed.orphanedAt !== undefined);
    const replaced = resourceVersion === undefined ? [] : ofReplaced(bound, resourceVersion, limit);
    return { steps: [...stepsOf('clearOrphan', restored), ...replaced] };
  }
  // Until it is gone its history may be needed: a finalizer can take any time.
  if (state === 'terminating' || orphanTtlMs === undefined) return { steps: [] };
  if (nowMs === undefined) return { steps: [], nextInMs: TIME_RETRY_MS, isPostponed: true };
  return expire(bound, orphanTtlMs, nowMs, annotationFailedAt);
}

/**
 * While the archived revision is live, its deletion may be under way. Once it is not, that deletion cannot succeed any
 * longer: it names the revision. Of what has been replaced the newest are kept; the oldest are removed first.
 */
function ofReplaced(
  bound: readonly IndexedSnapshot[],
  resourceVersion: string,
  limit: number,
): readonly Step[] {
  const notDeleted = bound.filter(
    ({ parsed }) => parsed.isFinal && isReplaced(parsed.sourceResourceVersion, resourceVersion),
  );
  const surplus = beyondLimit(bound, ({ parsed }) => parsed, resourceVersion, limit);
  return [...stepsOf('clearFinal', notDeleted), ...stepsOf('prune', surplus)];
}

/**
 * An orphan without a time of its own has the earliest of the others of its UID. One that could not be annotated has the
 * earliest of those, of their accepted deletions and of the failed attempt: rather late than early.
 */
function expire(
  bound: readonly IndexedSnapshot[],
  ttlMs: number,
  nowMs: number,
  annotationFailedAt: Rules['annotationFailedAt'],
): Plan {
  const steps: Step[] = [];
  let nextInMs: number | undefined;
  // A time in the future was written by a wrong clock.
  const pastTime = (time = NaN) => (time <= nowMs + CLOCK_TOLERANCE_MS ? time : undefined);
  const orphans = bound.map((object) => ({ object, own: pastTime(object.parsed.orphanedAt) }));
  const ofOthers = orphans.map(({ own }) => own);
  const ofDeletion = bound.map(({ parsed }) => pastTime(parsed.deletedAt));
  // Those with an own time go last: whoever continues after a crash still finds the time of the others.
  for (const { object, own } of orphans.toSorted((one, other) => (one.own ?? 0) - (other.own ?? 0))) {
    const failedAt = annotationFailedAt(object);
    const since = own ?? earliest(failedAt === undefined ? ofOthers : [failedAt, ...ofOthers, ...ofDeletion]);
    const leftMs = since === undefined ? ttlMs : since + ttlMs - nowMs;
    if (leftMs <= 0) steps.push({ kind: 'removeOrphan', object });
    else if (own === undefined && failedAt === undefined) steps.push({ kind: 'annotateOrphan', object });
    if (leftMs > 0) nextInMs = Math.min(leftMs, nextInMs ?? Infinity);
  }
  return { steps, nextInMs };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((one, other) => Math.min(one, other));
}

const CLOCK_TOLERANCE_MS = 60_000;
const TIME_RETRY_MS = 5 * 60_000;
