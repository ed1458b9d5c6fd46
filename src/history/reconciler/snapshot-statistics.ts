import { violationOf } from './decide.ts';
import type { IndexedHistory } from './indexed-secret.ts';

/** The number of history objects, by their state. */
export type SnapshotStatistics = {
  /** The metadata is complete, and the live Secret exists. */
  readonly bound: number;
  /** The metadata is complete, and the live Secret is gone. */
  readonly orphaned: number;
  /** A label or annotation is missing or disagrees. */
  readonly inconsistent: number;
};

/** The state of a history object. @param live the live Secret of its key, if it exists */
export function stateOfSnapshot(
  object: IndexedHistory,
  live: { readonly name: string } | undefined,
): keyof SnapshotStatistics {
  const { parsed } = object;
  if (violationOf(object, live) !== undefined) return 'inconsistent';
  if (typeof parsed === 'string' || parsed.lostLabels.size > 0) return 'inconsistent';
  return live === undefined ? 'orphaned' : 'bound';
}
