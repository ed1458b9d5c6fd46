import { beyondLimit, isReplaced } from '../snapshot/rank.ts';
import type { Inconsistency } from '../snapshot/snapshot.ts';
import type { IndexedHistory, IndexedSnapshot } from './indexed-secret.ts';

/** The live Secret that a UID belongs to: existing, terminating, or permanently gone. */
export type LiveState = 'present' | 'terminating' | 'gone';

/** The live Secret at the time of the decision. */
export interface Live {
  readonly state: LiveState;
  /** Undefined if unknown: then nothing is beyond the limit. */
  readonly resourceVersion: string | undefined;
}

/** What is wrong with a history object. The reconciler does not change it; an operator should inspect it. */
export type Violation = Inconsistency | 'belongsToAnotherName';

/** A snapshot may be consistent and still not belong to the live Secret of its UID. */
export function violationOf(
  { parsed }: IndexedHistory,
  live: { readonly name: string } | undefined,
): Violation | undefined {
  if (typeof parsed === 'string') return parsed;
  return live !== undefined && live.name !== parsed.of ? 'belongsToAnotherName' : undefined;
}

export type Step =
  | {
      readonly kind: 'relabel';
      readonly object: IndexedHistory;
      readonly labels: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'prune'; readonly object: IndexedHistory }
  /** The live Secret is gone: the time to live of its history begins. */
  | { readonly kind: 'annotateOrphan'; readonly object: IndexedHistory }
  /** The live Secret is there after all, as after a restored backup of the cluster. */
  | { readonly kind: 'clearOrphan'; readonly object: IndexedHistory }
  /** The live Secret has changed since: the deletion that the snapshot was made for has failed. */
  | { readonly kind: 'clearFinal'; readonly object: IndexedHistory }
  | { readonly kind: 'removeOrphan'; readonly object: IndexedHistory };

export interface Rules {
  /** Snapshots kept per live Secret. */
  readonly limit: number;
  /** How long orphans are kept; undefined for ever. */
  readonly orphanTtlMs: number | undefined;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** When the next step is due because of time alone. */
  readonly nextInMs: number | undefined;
}

/**
 * Decides the steps for the snapshots of one live Secret. Pure: only the returned steps are taken.
 * @param history as it was stored at one point in time
 * @param nowMs the cluster's time
 */
export function decide(history: readonly IndexedSnapshot[], live: Live, rules: Rules, nowMs: number): Plan {
  const relabel = history
    .filter(({ parsed }) => parsed.lostLabels.size > 0)
    .map((object): Step => ({ kind: 'relabel', object, labels: object.parsed.lostLabels }));
  // Missing labels are restored first, and the snapshot is part of the next plan. A terminating one is left alone.
  const bound = history.filter(({ parsed, terminating }) => parsed.lostLabels.size === 0 && !terminating);
  const { steps, nextInMs } = planFor(bound, live, rules, nowMs);
  return { steps: [...relabel, ...steps], nextInMs };
}

function planFor(bound: readonly IndexedSnapshot[], live: Live, rules: Rules, nowMs: number): Plan {
  switch (live.state) {
    case 'present':
      return {
        steps: [...clearOrphaned(bound), ...clearFinal(bound, live), ...prune(bound, live, rules)],
        nextInMs: undefined,
      };
    case 'terminating':
      // Until it is gone its history may be needed: a finalizer can take any time.
      return { steps: [], nextInMs: undefined };
    case 'gone':
      return expire(bound, rules, nowMs);
  }
}

function clearOrphaned(bound: readonly IndexedSnapshot[]): readonly Step[] {
  return bound
    .filter(({ parsed }) => parsed.orphanedAt !== undefined)
    .map((object) => ({ kind: 'clearOrphan', object }));
}

/**
 * While the archived revision is live, its deletion may be under way. Once it is not, that deletion cannot succeed any
 * longer: it names the revision.
 */
function clearFinal(bound: readonly IndexedSnapshot[], { resourceVersion }: Live): readonly Step[] {
  if (resourceVersion === undefined) return [];
  return bound
    .filter(({ parsed }) => parsed.isFinal && isReplaced(parsed.sourceResourceVersion, resourceVersion))
    .map((object) => ({ kind: 'clearFinal', object }));
}

/** Keeps the newest, removes the oldest first. */
function prune(
  bound: readonly IndexedSnapshot[],
  { resourceVersion }: Live,
  { limit }: Rules,
): readonly Step[] {
  if (resourceVersion === undefined) return [];
  const surplus = beyondLimit(bound, ({ parsed }) => parsed, resourceVersion, limit);
  return surplus.map((object) => ({ kind: 'prune', object }));
}

function expire(bound: readonly IndexedSnapshot[], { orphanTtlMs }: Rules, nowMs: number): Plan {
  if (orphanTtlMs === undefined) return { steps: [], nextInMs: undefined };
  const steps: Step[] = [];
  let nextInMs: number | undefined;
  for (const object of bound) {
    const since = Date.parse(object.parsed.orphanedAt ?? '');
    // A time in the future was written by a wrong clock.
    const isDated = since <= nowMs + CLOCK_TOLERANCE_MS;
    const leftMs = isDated ? since + orphanTtlMs - nowMs : orphanTtlMs;
    if (!isDated) steps.push({ kind: 'annotateOrphan', object });
    else if (leftMs <= 0) steps.push({ kind: 'removeOrphan', object });
    if (leftMs > 0) nextInMs = Math.min(leftMs, nextInMs ?? Infinity);
  }
  return { steps, nextInMs };
}

const CLOCK_TOLERANCE_MS = 60_000;
