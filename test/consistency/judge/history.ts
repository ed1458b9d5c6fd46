import type { Recording } from '../recording.ts';
import { createRemovalRules, type RemovalRules } from './removals.ts';
import { isThereBefore, type SnapshotLife, type Timeline } from './timeline.ts';
import type { Violation } from './violation.ts';
import type { Replacement } from './writes.ts';

/** Holds history to its promises: what must be archived, and what may be removed. */
export function judgeHistory(
  recording: Recording,
  timeline: Timeline,
  replacements: readonly Replacement[],
): readonly Violation[] {
  const removals = createRemovalRules(recording, timeline);
  return [
    ...replacements.flatMap((replacement) => judgeReplacement(replacement, timeline, removals)),
    ...timeline
      .snapshots()
      .flatMap((snapshot) => [
        ...judgeContent(snapshot, timeline),
        ...judgeNumber(snapshot, timeline),
        ...judgeRemoval(snapshot, removals),
      ]),
  ];
}

function judgeReplacement(
  { before, after, acknowledged }: Replacement,
  timeline: Timeline,
  removals: RemovalRules,
): readonly Violation[] {
  const what = `revision ${before.from} of ${before.state.name}, replaced by ${after.from}`;
  const archived = timeline
    .snapshotsOf(before.state.uid)
    .filter(({ state }) => state.archives.source === before.from);
  if (!archived.some(({ from }) => from < after.from)) {
    return [{ rule: 'the previous state of a write was archived before it was replaced', what }];
  }
  // Without an answer nothing was promised beyond that: a cleaning deletion of the replaced revision may have won.
  if (!acknowledged) return [];
  const last = archived.at(-1);
  const stays = last?.to === undefined || (last.to > after.from && removals.allows(last, after.from));
  if (stays) return [];
  const rule = 'the previous state of an acknowledged write stays archived until a rule removes it';
  return [{ rule, what: `${what}: its snapshot went at ${last.to ?? 0}` }];
}

function judgeContent({ state, from }: SnapshotLife, timeline: Timeline): readonly Violation[] {
  const { archives } = state;
  const source = timeline.stateAt(archives.uid, archives.source);
  const rule = 'a snapshot equals its source';
  const problem = (text: string): readonly Violation[] => [
    { rule, what: `${state.name} at ${from}: ${text}` },
  ];
  if (source === undefined) return problem(`revision ${archives.source} of its source never was`);
  if (source.from > from) return problem('it is older than its source');
  if (source.state.digest !== state.digest) return problem('other values');
  if (source.state.type !== archives.type) return problem('another type');
  return source.state.name === archives.name ? [] : problem('another name');
}

/**
 * Against everything that is archived of the same uid at that moment: no number is used twice, and none is below that of
 * an older state. A write that is going to fail may still archive an older state than others have archived by then, and
 * it may do so between the moment in which another write looks at the history and the one in which that archives.
 */
function judgeNumber(snapshot: SnapshotLife, timeline: Timeline): readonly Violation[] {
  const { source, version, uid } = snapshot.state.archives;
  const contradicts = (other: SnapshotLife): boolean => {
    const { archives } = other.state;
    if (archives.version === version) return true;
    return archives.version > version && archives.source < source && !mayBeUnseen(other);
  };
  /** Archived when its source had been replaced already, and when the state that is archived now was there. */
  const mayBeUnseen = ({ from, state: { archives } }: SnapshotLife): boolean => {
    const replacedAt = timeline.stateAt(uid, archives.source)?.to ?? Infinity;
    const readableAt = timeline.stateAt(uid, source)?.from ?? Infinity;
    return replacedAt < from && readableAt < from;
  };
  return timeline
    .snapshotsOf(uid)
    .filter((other) => isThereBefore(other, snapshot.from) && other.state.archives.source !== source)
    .filter(contradicts)
    .map(({ state }) => ({
      rule: 'numbers only grow' as const,
      what: `${snapshot.state.name} at ${snapshot.from}, beside ${state.name}`,
    }));
}

function judgeRemoval(snapshot: SnapshotLife, removals: RemovalRules): readonly Violation[] {
  if (snapshot.to === undefined || removals.allows(snapshot)) return [];
  const { name, archives } = snapshot.state;
  const rule = 'nothing among the newest is removed';
  return [{ rule, what: `${name}, which archives ${archives.source}, at ${snapshot.to}` }];
}
