import { beyondLimit } from '../snapshot/rank.ts';
import type { Inconsistency } from '../snapshot/snapshot.ts';
import type { TrackedHistory, TrackedSnapshot } from './tracked.ts';

/** The live Secret that a UID belongs to: there, on its way out, or gone for good. */
export type LiveState = 'present' | 'terminating' | 'gone';

/** The live Secret at the moment whose history is judged. */
export interface Live {
  readonly state: LiveState;
  /** Undefined when it is not known: then nothing is beyond the limit. */
  readonly resourceVersion: string | undefined;
}

/** What is wrong with a history object. Nothing is done to it; somebody should look at it. */
export type Violation = Inconsistency | 'belongsToAnotherName';

/** A snapshot's marks may agree with each other, and yet not with the live Secret of that UID. */
export function violationOf(
  { finding }: TrackedHistory,
  live: { readonly name: string } | undefined,
): Violation | undefined {
  if (typeof finding === 'string') return finding;
  return live !== undefined && live.name !== finding.of ? 'belongsToAnotherName' : undefined;
}

export type Step =
  | {
      readonly kind: 'relabel';
      readonly object: TrackedHistory;
      readonly labels: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'prune'; readonly object: TrackedHistory }
  /** The live Secret is gone: the time to live of its history begins. */
  | { readonly kind: 'stampOrphan'; readonly object: TrackedHistory }
  /** The live Secret is there after all, as after a restored backup of the cluster. */
  | { readonly kind: 'unstampOrphan'; readonly object: TrackedHistory }
  | { readonly kind: 'removeOrphan'; readonly object: TrackedHistory };

export interface Rules {
  /** Snapshots kept per live Secret. */
  readonly limit: number;
  /** How long orphans are kept; undefined for ever. */
  readonly orphanTtlMs: number | undefined;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** When time alone will make the next step due. */
  readonly nextInMs: number | undefined;
}

/**
 * Decides what is to be done with the snapshots of one live Secret. Pure: what it does not say is not done.
 * @param history as it was stored at one moment
 * @param nowMs the cluster's time
 */
export function decide(history: readonly TrackedSnapshot[], live: Live, rules: Rules, nowMs: number): Plan {
  const relabel = history
    .filter(({ finding }) => finding.lostLabels.size > 0)
    .map((object): Step => ({ kind: 'relabel', object, labels: object.finding.lostLabels }));
  // A snapshot without a label is put right first, and is part of the next plan; one on its way out is left to go.
  const bound = history.filter(({ finding, terminating }) => finding.lostLabels.size === 0 && !terminating);
  const { steps, nextInMs } = planFor(bound, live, rules, nowMs);
  return { steps: [...relabel, ...steps], nextInMs };
}

function planFor(bound: readonly TrackedSnapshot[], live: Live, rules: Rules, nowMs: number): Plan {
  switch (live.state) {
    case 'present':
      return { steps: [...unstamp(bound), ...prune(bound, live, rules)], nextInMs: undefined };
    case 'terminating':
      // Until it is gone it could still be wanted: a finalizer may take as long as it likes.
      return { steps: [], nextInMs: undefined };
    case 'gone':
      return expire(bound, rules, nowMs);
  }
}

function unstamp(bound: readonly TrackedSnapshot[]): readonly Step[] {
  return bound
    .filter(({ finding }) => finding.orphanedAt !== undefined)
    .map((object) => ({ kind: 'unstampOrphan', object }));
}

/** The newest stay, oldest go first. */
function prune(
  bound: readonly TrackedSnapshot[],
  { resourceVersion }: Live,
  { limit }: Rules,
): readonly Step[] {
  if (resourceVersion === undefined) return [];
  const surplus = beyondLimit(bound, ({ finding }) => finding, resourceVersion, limit);
  return surplus.map((object) => ({ kind: 'prune', object }));
}

function expire(bound: readonly TrackedSnapshot[], { orphanTtlMs }: Rules, nowMs: number): Plan {
  if (orphanTtlMs === undefined) return { steps: [], nextInMs: undefined };
  const steps: Step[] = [];
  let nextInMs: number | undefined;
  for (const object of bound) {
    const since = Date.parse(object.finding.orphanedAt ?? '');
    // A stamp of the future was written by a clock that was wrong.
    const isStamped = since <= nowMs + CLOCK_TOLERANCE_MS;
    const leftMs = isStamped ? since + orphanTtlMs - nowMs : orphanTtlMs;
    if (!isStamped) steps.push({ kind: 'stampOrphan', object });
    else if (leftMs <= 0) steps.push({ kind: 'removeOrphan', object });
    if (leftMs > 0) nextInMs = Math.min(leftMs, nextInMs ?? Infinity);
  }
  return { steps, nextInMs };
}

const CLOCK_TOLERANCE_MS = 60_000;
