import { violationOf } from './decide.ts';
import type { IndexedSecret, IndexedHistory, IndexedLive } from './indexed-secret.ts';

/** The number of history objects, by their state. */
export type SnapshotStatistics = {
  /** The metadata is complete, and the live Secret exists. */
  readonly bound: number;
  /** The metadata is complete, and the live Secret is gone. */
  readonly orphaned: number;
  /** A label or annotation is missing or disagrees. */
  readonly inconsistent: number;
};

/** Counts the history objects of one key. */
export function snapshotStatistics(group: Iterable<IndexedSecret>): SnapshotStatistics {
  const statistics = { bound: 0, orphaned: 0, inconsistent: 0 };
  const history: IndexedHistory[] = [];
  let live: IndexedLive | undefined;
  for (const one of group) {
    if (one.kind === 'live') live = one;
    else history.push(one);
  }
  for (const one of history) statistics[stateOf(one, live)]++;
  return statistics;
}

function stateOf(object: IndexedHistory, live: IndexedLive | undefined): keyof SnapshotStatistics {
  const { parsed } = object;
  if (violationOf(object, live) !== undefined) return 'inconsistent';
  if (typeof parsed === 'string' || parsed.lostLabels.size > 0) return 'inconsistent';
  return live === undefined ? 'orphaned' : 'bound';
}
