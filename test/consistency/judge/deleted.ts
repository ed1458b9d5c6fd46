import type { DeletedItem, Operation, Recording } from '../recording.ts';
import { LISTED_THROUGHOUT } from './reads.ts';
import { createRemovalRules, type RemovalRules } from './removals.ts';
import { isThereAllTheTime, isThereBefore, type SnapshotLife, type Span, type Timeline } from './timeline.ts';
import type { Violation } from './violation.ts';

const LISTED = 'what is listed as deleted was deleted that way, in that state';
const ARCHIVED = 'what was deleted and archived can be restored';

/** Holds acknowledged deletions with archive, and restores of what they deleted, to what they say. */
export function judgeDeleted(recording: Recording, timeline: Timeline): readonly Violation[] {
  const removals = createRemovalRules(recording, timeline);
  return recording.operations.flatMap((operation) => [
    ...judgeArchive(operation, timeline, removals),
    ...judgeUndelete(operation, timeline),
    ...judgeListed(operation, recording, timeline),
    ...judgeUnlisted(operation, recording, timeline),
  ]);
}

function judgeArchive(
  { id, request, answer }: Operation,
  timeline: Timeline,
  removals: RemovalRules,
): readonly Violation[] {
  if (request.do !== 'delete' || request.archive !== true) return [];
  if (answer.kind !== 'deleted' && answer.kind !== 'pending') return [];
  const before = timeline.madeBy(request.revision);
  const problem = (text: string): readonly Violation[] => [
    { rule: ARCHIVED, what: `operation ${id}, revision ${request.revision} of ${request.name}: ${text}` },
  ];
  if (before === undefined) return problem('it never was');
  const archived = timeline.snapshotsOf(before.state.uid).filter((life) => isArchiveOf(life, before));
  const endedAt = before.to ?? Infinity;
  if (!archived.some(({ from }) => from < endedAt)) return problem('it was not archived before it went');
  // A recovery of the counter that failed may have archived the same state under another number.
  const last = archived.findLast(({ isFinal }) => isFinal);
  if (last === undefined) return problem('its snapshot has no record of the deletion');
  return removals.allows(last, before.to) ? [] : problem(`its snapshot went at ${last.to ?? 0}`);
}

/** A deletion that waits for finalizers has made a new revision of the state that it archived. */
function isArchiveOf({ state: { archives, digest } }: SnapshotLife, { state, from }: Span): boolean {
  if (archives.source === from) return true;
  return state.terminating && archives.version === state.version && digest === state.digest;
}

/** The new Secret has the state of a final snapshot, of a Secret that no longer existed. */
function judgeUndelete({ id, request, answer }: Operation, timeline: Timeline): readonly Violation[] {
  if (request.do !== 'undelete' || answer.kind !== 'secret') return [];
  const problem = (text: string): readonly Violation[] => [
    { rule: ARCHIVED, what: `operation ${id}, revision ${answer.revision}: ${text}` },
  ];
  const span = timeline.madeBy(answer.revision);
  if (span === undefined || span.previous !== undefined) return problem('no Secret was created');
  const { digest, description, version, uid } = span.state;
  if (version !== 1 || answer.version !== 1) return problem(`the counter is ${version}`);
  if (uid === request.uid) return problem('it has the UID of the deleted one');
  const isSource = (life: SnapshotLife): boolean => {
    const source = timeline.stateAt(request.uid, life.state.archives.source);
    return life.isFinal && life.state.digest === digest && source?.state.description === description;
  };
  if (!timeline.snapshotsOf(request.uid).some(isSource)) return problem('it holds something else');
  const lived = [...timeline.live()].some(
    (one) => one.state.uid === request.uid && isThereBefore(one, span.from),
  );
  return lived ? problem('the deleted Secret still existed') : [];
}

function judgeListed(listing: Operation, recording: Recording, timeline: Timeline): readonly Violation[] {
  if (listing.request.do !== 'listDeleted' || listing.answer.kind !== 'deletedListed') return [];
  return listing.answer.items.flatMap((item) => {
    const problem = problemOf(item, listing, recording, timeline);
    return problem === undefined
      ? []
      : [{ rule: LISTED, what: `operation ${listing.id}, ${item.name} (${item.uid}): ${problem}` }];
  });
}

/** Of a Secret that is gone, with its newest snapshot final: an administrator sees it. */
function judgeUnlisted(listing: Operation, { lateMs }: Recording, timeline: Timeline): readonly Violation[] {
  const { id, actor, answer, begun } = listing;
  if (answer.kind !== 'deletedListed' || actor !== 'admin') return [];
  const listed = new Set(answer.items.map(({ uid }) => uid));
  const isMissing = (life: SnapshotLife): boolean => {
    const { uid, name, source } = life.state.archives;
    if (!life.isFinal || listed.has(uid)) return false;
    if (!isThereAllTheTime({ ...life, fromSeenAt: life.finalSeenAt }, listing, lateMs)) return false;
    const last = timeline.ofName(name).findLast(({ state }) => state.uid === uid);
    const isNewest = timeline
      .snapshotsOf(uid)
      .every(
        (one) => one === life || one.state.archives.source < source || (one.toSeenAt ?? Infinity) < begun,
      );
    return isNewest && (last?.toSeenAt ?? Infinity) < begun;
  };
  return timeline
    .snapshots()
    .filter(isMissing)
    .map(({ state }) => ({
      rule: LISTED_THROUGHOUT,
      what: `operation ${id}: ${state.name} was not listed`,
    }));
}

function problemOf(
  { name, uid, by }: DeletedItem,
  { ended }: Operation,
  { operations, lateMs }: Recording,
  timeline: Timeline,
): string | undefined {
  const spans = timeline.ofName(name).filter(({ state }) => state.uid === uid);
  const last = spans.at(-1);
  if (last === undefined) return 'it never was';
  if (last.to === undefined || (last.toSeenAt ?? Infinity) > ended + lateMs) return 'it exists';
  if (by === undefined) return undefined;
  const goneAt = last.toSeenAt ?? Infinity;
  // Who learns that another Secret has the name already (409) has deleted this one.
  const tookEffect = ({ answer, ended: until }: Operation): boolean =>
    answer.kind !== 'refused' || goneAt <= until + lateMs;
  const isItsDeletion = (operation: Operation): boolean => {
    const { request, begun, actor } = operation;
    return (
      request.do === 'delete' &&
      request.archive === true &&
      timeline.madeBy(request.revision)?.state.uid === uid &&
      tookEffect(operation) &&
      begun <= ended &&
      by.startsWith(actor)
    );
  };
  if (!operations.some(isItsDeletion)) return `${by} has not deleted it with archive`;
  // While a deletion is pending, someone with kubectl may still change values.
  const { state } = spans.findLast((span) => !span.state.terminating) ?? last;
  const isArchived = timeline.snapshotsOf(uid).some(({ state: { digest } }) => digest === state.digest);
  return isArchived ? undefined : 'its last state is not archived';
}
