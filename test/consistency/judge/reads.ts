import type { Operation, Recording } from '../recording.ts';
import { isThereAllTheTime, type SnapshotLife, type Timeline } from './timeline.ts';
import type { Rule, Violation } from './violation.ts';

/** Broken by a list of versions, or of deleted Secrets. */
export const LISTED_THROUGHOUT: Rule = 'a snapshot that was there all the time is listed';

/** Reads of one Secret and of its versions are live: they show what was, and nothing older than their start. */
export function judgeReads({ operations, lateMs }: Recording, timeline: Timeline): readonly Violation[] {
  const acknowledged = createAcknowledged(operations);
  return operations.flatMap((operation) => [
    ...judgeRead(operation, timeline, acknowledged),
    ...judgeAbsence(operation, timeline, lateMs),
    ...judgeVersions(operation, timeline, lateMs),
  ]);
}

function judgeRead(
  { id, request, answer, begun }: Operation,
  timeline: Timeline,
  acknowledged: Acknowledged,
): readonly Violation[] {
  if (request.do !== 'read' || answer.kind !== 'secret') return [];
  const what = `operation ${id}, revision ${answer.revision} of ${request.name}`;
  const rule = 'reads never go back';
  const span = timeline.madeBy(answer.revision);
  if (span?.state.name !== request.name) return [{ rule, what: `${what}: it never was` }];
  if (span.toSeenAt !== undefined && span.toSeenAt < begun) return [{ rule, what: `${what}: it was over` }];
  const known = acknowledged.before(request.name, begun);
  return known > answer.revision ? [{ rule, what: `${what}: ${known} was acknowledged before` }] : [];
}

/** Between two Secrets of one name there is always a moment without. */
function judgeAbsence(operation: Operation, timeline: Timeline, lateMs: number): readonly Violation[] {
  const { id, request, answer } = operation;
  if (request.do !== 'read' || answer.kind !== 'refused' || answer.status !== 404) return [];
  const lives = Map.groupBy(timeline.ofName(request.name), ({ state }) => state.uid).values();
  const wasThere = lives.some((spans) => {
    const life = { fromSeenAt: spans[0]?.fromSeenAt, toSeenAt: spans.at(-1)?.toSeenAt };
    return isThereAllTheTime(life, operation, lateMs);
  });
  const rule = 'a Secret that was there all the time is found';
  return wasThere ? [{ rule, what: `operation ${id}: ${request.name} was not found` }] : [];
}

function judgeVersions(operation: Operation, timeline: Timeline, lateMs: number): readonly Violation[] {
  const { id, request, answer, begun } = operation;
  if (request.do !== 'versions' || answer.kind !== 'versions') return [];
  const rule: Rule = 'versions are archived states, newest first';
  const sources = answer.versions.map(({ source }) => source);
  if (sources.some((source, index) => index > 0 && source > (sources[index - 1] ?? Infinity)))
    return [{ rule, what: `operation ${id}: ${sources.join(' ')}` }];
  const lives = timeline.snapshotsOf(answer.uid);
  const invented = answer.versions
    .filter((listed) => !lives.some((life) => isOne(life, listed) && mayBeSeen(life, begun - lateMs)))
    .map(({ version, source }) => ({
      rule,
      what: `operation ${id}: ${version} of ${source} was not archived`,
    }));
  const missing = lives
    .filter((life) => isThereAllTheTime(life, operation, lateMs))
    .filter((life) => !answer.versions.some((listed) => isOne(life, listed)))
    .map(({ state }) => ({ rule: LISTED_THROUGHOUT, what: `operation ${id}: ${state.name} was not listed` }));
  return [...invented, ...missing];
}

function isOne(
  { state }: SnapshotLife,
  listed: { readonly version: number; readonly source: number },
): boolean {
  return state.archives.version === listed.version && state.archives.source === listed.source;
}

function mayBeSeen({ toSeenAt }: SnapshotLife, begun: number): boolean {
  return toSeenAt === undefined || toSeenAt >= begun;
}

/** The newest revision of a name that was acknowledged before a point in time. */
interface Acknowledged {
  before(name: string, moment: number): number;
}

function createAcknowledged(operations: readonly Operation[]): Acknowledged {
  const byName = new Map<string, { readonly ended: number; readonly revision: number }[]>();
  for (const operation of operations.toSorted((one, other) => one.ended - other.ended)) {
    const { request, answer, ended } = operation;
    if (answer.kind !== 'secret' || !('name' in request)) continue;
    const list = byName.get(request.name) ?? [];
    list.push({ ended, revision: Math.max(answer.revision, list.at(-1)?.revision ?? 0) });
    byName.set(request.name, list);
  }
  return {
    before: (name, moment) => {
      const list = byName.get(name) ?? [];
      const count = countBefore(list, moment);
      return list[count - 1]?.revision ?? 0;
    },
  };
}

/** How many of the sorted entries ended before the moment. */
export function countBefore(list: readonly { readonly ended: number }[], moment: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.ended ?? Infinity) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
