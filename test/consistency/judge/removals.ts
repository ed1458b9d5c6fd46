import type { Operation, Recording } from '../recording.ts';
import { isThereBefore, type SnapshotLife, type Timeline } from './timeline.ts';

/** Which rule explains that a snapshot went; without one, it must not have gone. */
export interface RemovalRules {
  /** @param replacedAt when its source was replaced by an acknowledged write, if that is in question */
  allows(snapshot: SnapshotLife, replacedAt?: number): boolean;
}

/** A snapshot that went, with when that was. */
interface Removed extends SnapshotLife {
  readonly to: number;
  readonly toSeenAt: number;
}

/** What the rules go by. */
interface Evidence {
  readonly recording: Recording;
  readonly timeline: Timeline;
  /** The snapshots that someone removed with kubectl. */
  readonly byHand: ReadonlySet<string>;
  /** Deletions that may have cleaned, by the name that they deleted. */
  readonly cleanings: ReadonlyMap<string, readonly Operation[]>;
  /** Updates and restores, by the revision that they replace. */
  readonly replacements: ReadonlyMap<number, readonly Operation[]>;
}

export function createRemovalRules(recording: Recording, timeline: Timeline): RemovalRules {
  const evidence = evidenceOf(recording, timeline);
  return {
    allows(snapshot, replacedAt) {
      if (!isRemoved(snapshot)) return true;
      return (
        evidence.byHand.has(snapshot.state.uid) ||
        wasCleaned(evidence, snapshot, replacedAt) ||
        wasPurged(evidence, snapshot) ||
        wasBeyondLimit(evidence, snapshot) ||
        wasExpired(evidence, snapshot)
      );
    },
  };
}

function evidenceOf(recording: Recording, timeline: Timeline): Evidence {
  const { operations } = recording;
  return {
    recording,
    timeline,
    byHand: new Set(
      operations.flatMap(({ request }) => (request.do === 'removeSnapshot' ? [request.uid] : [])),
    ),
    cleanings: Map.groupBy(operations.filter(mayHaveCleaned), ({ request }) =>
      'name' in request ? request.name : '',
    ),
    replacements: Map.groupBy(
      operations.filter(({ request }) => request.do === 'update' || request.do === 'restore'),
      ({ request }) => ('revision' in request ? request.revision : 0),
    ),
  };
}

function wasUnderWay({ recording }: Evidence, { begun, ended, answer }: Operation, moment: number): boolean {
  return begun <= moment && (answer.kind === 'lost' || moment <= ended + recording.lateMs);
}

/**
 * A cleaning deletion may remove what was archived before the revision that it was authorized for; the archive of that
 * very revision only until the archive of the revision is acknowledged.
 */
function wasCleaned(evidence: Evidence, removed: Removed, replacedAt: number | undefined): boolean {
  const { state, to, toSeenAt } = removed;
  const { name, uid, source } = state.archives;
  return (evidence.cleanings.get(name) ?? []).some((operation) => {
    const { request } = operation;
    if (request.do !== 'delete' || evidence.timeline.stateAt(uid, request.revision) === undefined)
      return false;
    const isPromised = source === request.revision && replacedAt !== undefined && to > replacedAt;
    return source <= request.revision && !isPromised && wasUnderWay(evidence, operation, toSeenAt);
  });
}

/** Removed permanently, once its live Secret was gone. */
function wasPurged(evidence: Evidence, { state, to, toSeenAt }: Removed): boolean {
  const { uid, name } = state.archives;
  const { recording, timeline } = evidence;
  const isGone = !timeline.ofName(name).some((span) => span.state.uid === uid && isThereBefore(span, to));
  return (
    isGone &&
    recording.operations.some((operation) => {
      const { request } = operation;
      return request.do === 'purge' && request.uid === uid && wasUnderWay(evidence, operation, toSeenAt);
    })
  );
}

/**
 * By the one rule: at least `limit` snapshots of the same uid come after it, by what they archive; one revision that was
 * archived twice counts twice. One that someone removed with kubectl counts for as long as a watch may be behind: the
 * replica that decided may not have seen it yet. A state that is still live counts only for a write that is about to
 * replace it, and not for a restore of the very snapshot: it would lose its source.
 */
function wasBeyondLimit(evidence: Evidence, removed: Removed): boolean {
  const { state, to } = removed;
  const { uid, source, version } = state.archives;
  const { recording, timeline } = evidence;
  const wasReplaced = (revision: number): boolean => {
    const span = timeline.stateAt(uid, revision);
    return span?.to !== undefined && span.to < to;
  };
  const isLater = ({ archives }: SnapshotLife['state']): boolean =>
    archives.source > source || (archives.source === source && archives.version > version);
  const later = timeline
    .snapshotsOf(uid)
    .filter((other) => other.from < to && mayBeBelieved(evidence, other, removed) && isLater(other.state))
    .map((other) => other.state.archives.source)
    .filter((revision) => wasReplaced(revision) || isAboutToBeReplaced(evidence, revision, removed));
  return later.length >= recording.limit;
}

/** Whether the other snapshot was there, or still seemed to be, when the one was removed. */
function mayBeBelieved(
  { recording, byHand }: Evidence,
  other: SnapshotLife,
  { to, toSeenAt }: Removed,
): boolean {
  return (
    isThereBefore(other, to) ||
    (byHand.has(other.state.uid) && toSeenAt - (other.toSeenAt ?? 0) <= recording.watchLagMs)
  );
}

function isAboutToBeReplaced(evidence: Evidence, revision: number, { state, toSeenAt }: Removed): boolean {
  return (evidence.replacements.get(revision) ?? []).some((operation) => {
    const { request } = operation;
    const needsSource = request.do === 'restore' && request.version === state.archives.version;
    return !needsSource && wasUnderWay(evidence, operation, toSeenAt);
  });
}

/** Its live Secret was gone for as long as orphans are kept; the annotation that says since when has whole seconds. */
function wasExpired({ recording, timeline }: Evidence, { state, toSeenAt }: Removed): boolean {
  const { name, uid } = state.archives;
  const { orphanTtlMs, lateMs } = recording;
  const last = timeline.ofName(name).findLast((span) => span.state.uid === uid);
  return (
    last?.toSeenAt !== undefined &&
    toSeenAt - last.toSeenAt >= orphanTtlMs - ORPHANED_AT_PRECISION_MS - lateMs
  );
}

const ORPHANED_AT_PRECISION_MS = 1_000;

function isRemoved(snapshot: SnapshotLife): snapshot is Removed {
  return snapshot.to !== undefined && snapshot.toSeenAt !== undefined;
}

/** A deletion that was refused because its request was wrong has not touched anything; of conflicts one cannot know. */
function mayHaveCleaned({ request, answer }: Operation): boolean {
  if (request.do !== 'delete' || request.keepHistory) return false;
  return answer.kind !== 'refused' || answer.status === 409 || answer.status === 503;
}
