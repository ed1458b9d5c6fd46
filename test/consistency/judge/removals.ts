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

export function createRemovalRules(recording: Recording, timeline: Timeline): RemovalRules {
  const { operations, limit, orphanTtlMs, lateMs, watchLagMs } = recording;
  const byHand = new Set(
    operations.flatMap(({ request }) => (request.do === 'removeSnapshot' ? [request.uid] : [])),
  );
  const cleanings = Map.groupBy(operations.filter(mayHaveCleaned), ({ request }) =>
    'name' in request ? request.name : '',
  );
  const replacements = Map.groupBy(
    operations.filter(({ request }) => request.do === 'update' || request.do === 'restore'),
    ({ request }) => ('revision' in request ? request.revision : 0),
  );

  const wasUnderWay = ({ begun, ended, answer }: Operation, moment: number): boolean =>
    begun <= moment && (answer.kind === 'lost' || moment <= ended + lateMs);

  /**
   * A cleaning deletion may remove what was archived before the revision that it was authorized for; the archive of that
   * very revision only until the archive of the revision is acknowledged.
   */
  const wasCleaned = ({ state, to, toSeenAt }: Removed, replacedAt: number | undefined): boolean => {
    const { name, uid, source } = state.archives;
    return (cleanings.get(name) ?? []).some((operation) => {
      const { request } = operation;
      if (request.do !== 'delete' || timeline.stateAt(uid, request.revision) === undefined) return false;
      const isPromised = source === request.revision && replacedAt !== undefined && to > replacedAt;
      return source <= request.revision && !isPromised && wasUnderWay(operation, toSeenAt);
    });
  };

  /**
   * By the one rule: at least `limit` snapshots of the same uid come after it, by what they archive; one revision that was
   * archived twice counts twice. One that someone removed with kubectl counts for as long as a watch may be behind: the replica that decided
   * may not have seen it yet. A state that is still live counts only for a write that is about to replace it, and not
   * for a restore of the very snapshot: it would lose its source.
   */
  const wasBeyondLimit = ({ state, to, toSeenAt }: Removed): boolean => {
    const { uid, source, version } = state.archives;
    const wasReplaced = (revision: number): boolean => {
      const span = timeline.stateAt(uid, revision);
      return span?.to !== undefined && span.to < to;
    };
    const isAboutToBeReplaced = (revision: number): boolean =>
      (replacements.get(revision) ?? []).some((operation) => {
        const { request } = operation;
        const needsSource = request.do === 'restore' && request.version === version;
        return !needsSource && wasUnderWay(operation, toSeenAt);
      });
    const isLater = ({ archives }: SnapshotLife['state']): boolean =>
      archives.source > source || (archives.source === source && archives.version > version);
    const mayBeBelieved = (other: SnapshotLife): boolean =>
      isThereBefore(other, to) ||
      (byHand.has(other.state.uid) && toSeenAt - (other.toSeenAt ?? 0) <= watchLagMs);
    const later = timeline
      .snapshotsOf(uid)
      .filter((other) => other.from < to && mayBeBelieved(other) && isLater(other.state))
      .map((other) => other.state.archives.source)
      .filter((revision) => wasReplaced(revision) || isAboutToBeReplaced(revision));
    return later.length >= limit;
  };

  /** Its live Secret was gone for as long as orphans are kept; the annotation that says since when has whole seconds. */
  const wasExpired = ({ state, toSeenAt }: Removed): boolean => {
    const { name, uid } = state.archives;
    const last = timeline.ofName(name).findLast((span) => span.state.uid === uid);
    return (
      last?.toSeenAt !== undefined &&
      toSeenAt - last.toSeenAt >= orphanTtlMs - ORPHANED_AT_PRECISION_MS - lateMs
    );
  };

  return {
    allows(snapshot, replacedAt) {
      if (!isRemoved(snapshot)) return true;
      return (
        byHand.has(snapshot.state.uid) ||
        wasCleaned(snapshot, replacedAt) ||
        wasBeyondLimit(snapshot) ||
        wasExpired(snapshot)
      );
    },
  };
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
