import { violationOf } from './decide.ts';
import type { IndexedSecret, IndexedHistory, IndexedLive } from './indexed-secret.ts';

/** The number of history objects, by their state. */
export interface SnapshotStatistics {
  /** The metadata is complete, and the live Secret exists. */
  readonly bound: number;
  /** The metadata is complete, and the live Secret is gone. */
  readonly orphaned: number;
  /** A label or annotation is missing or disagrees. */
  readonly inconsistent: number;
}

/** Counts the history objects of all keys. */
export function snapshotStatistics(groups: Iterable<readonly IndexedSecret[]>): SnapshotStatistics {
  const statistics = { bound: 0, orphaned: 0, inconsistent: 0 };
  for (const group of groups) {
    const live = group.find((one): one is IndexedLive => one.kind === 'live');
    for (const one of group) if (one.kind === 'history') statistics[stateOf(one, live)]++;
  }
  return statistics;
}

function stateOf(object: IndexedHistory, live: IndexedLive | undefined): keyof SnapshotStatistics {
  const { parsed } = object;
  if (violationOf(object, live) !== undefined) return 'inconsistent';
  if (typeof parsed === 'string' || parsed.lostLabels.size > 0) return 'inconsistent';
  return live === undefined ? 'orphaned' : 'bound';
}
