import type { Operation, Recording } from '../recording.ts';
import type { SnapshotLife, Timeline } from './timeline.ts';
import type { Violation } from './violation.ts';

/** Reads of one Secret and of its versions are live: they show what was, and nothing older than their start. */
export function judgeReads({ operations, lateMs }: Recording, timeline: Timeline): readonly Violation[] {
  const acknowledged = createAcknowledged(operations);
  return operations.flatMap((operation) => [
    ...judgeRead(operation, timeline, acknowledged),
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

function judgeVersions(
  { id, request, answer, begun }: Operation,
  timeline: Timeline,
  lateMs: number,
): readonly Violation[] {
  if (request.do !== 'versions' || answer.kind !== 'versions') return [];
  const rule = 'versions are archived states, newest first';
  const sources = answer.versions.map(({ source }) => source);
  if (sources.some((source, index) => index > 0 && source > (sources[index - 1] ?? Infinity)))
    return [{ rule, what: `operation ${id}: ${sources.join(' ')}` }];
  const lives = timeline.snapshotsOf(answer.uid);
  return answer.versions
    .filter((listed) => !lives.some((life) => isOne(life, listed) && mayBeSeen(life, begun - lateMs)))
    .map(({ version, source }) => ({
      rule,
      what: `operation ${id}: ${version} of ${source} was not archived`,
    }));
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
