import { violationOf } from './decide.ts';
import type { Tracked, TrackedHistory, TrackedLive } from './tracked.ts';

/** How many history objects there are, by what has become of them. */
export interface Census {
  /** All marks are there, and so is the live Secret. */
  readonly bound: number;
  /** All marks are there, and the live Secret is gone. */
  readonly orphaned: number;
  /** A mark is missing or disagrees. */
  readonly inconsistent: number;
}

/** Counts the history objects of all keys. */
export function takeCensus(groups: Iterable<readonly Tracked[]>): Census {
  const census = { bound: 0, orphaned: 0, inconsistent: 0 };
  for (const group of groups) {
    const live = group.find((one): one is TrackedLive => one.kind === 'live');
    for (const one of group) if (one.kind === 'history') census[stateOf(one, live)]++;
  }
  return census;
}

function stateOf(object: TrackedHistory, live: TrackedLive | undefined): keyof Census {
  const { finding } = object;
  if (violationOf(object, live) !== undefined) return 'inconsistent';
  if (typeof finding === 'string' || finding.lostLabels.size > 0) return 'inconsistent';
  return live === undefined ? 'orphaned' : 'bound';
}
