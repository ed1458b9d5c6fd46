import type { Operation, Recording } from '../recording.ts';
import type { Span, Timeline } from './timeline.ts';
import type { Violation } from './violation.ts';

const TOOK_EFFECT = 'an acknowledged write took effect, on the revision that it named';
const NEVER_LIVE = 'a refused write was never live';

/** A state that the service wrote over another one, and whether someone was told so. */
export interface Replacement {
  readonly before: Span;
  readonly after: Span;
  readonly acknowledged: boolean;
}

/** Every update and restore that took effect, as the cluster's stream shows it. */
export function replacementsOf({ operations }: Recording, timeline: Timeline): readonly Replacement[] {
  const byMark = marksOf(timeline);
  return operations.flatMap((operation) => {
    const { request, answer } = operation;
    if (request.do !== 'update' && request.do !== 'restore') return [];
    const acknowledged = answer.kind === 'secret';
    // The mark of a restore is not its own, so one that no one was told of cannot be told from kubectl's work.
    const after = acknowledged
      ? timeline.madeBy(answer.revision)
      : request.do === 'update'
        ? byMark.get(request.mark)
        : undefined;
    const before = after?.previous;
    return after === undefined || before === undefined ? [] : [{ before, after, acknowledged }];
  });
}

export function judgeWrites({ operations, lateMs }: Recording, timeline: Timeline): readonly Violation[] {
  const byMark = marksOf(timeline);
  return operations.flatMap((operation) => [
    ...acknowledgedWrite(operation, timeline),
    ...refusedWrite(operation, byMark),
    ...acknowledgedDeletion(operation, timeline, lateMs),
  ]);
}

function acknowledgedWrite({ id, request, answer }: Operation, timeline: Timeline): readonly Violation[] {
  if (answer.kind !== 'secret' || request.do === 'read') return [];
  const span = timeline.madeBy(answer.revision);
  const problem = (text: string): readonly Violation[] => [
    { rule: TOOK_EFFECT, what: `operation ${id}, revision ${answer.revision}: ${text}` },
  ];
  if (span === undefined) return problem('the cluster never had this revision');
  if (span.state.version !== answer.version) return problem(`the counter is ${span.state.version}`);
  if (request.do === 'create') {
    if (span.previous !== undefined) return problem('it replaced another state');
    return holds(span, request.mark, request.digest) ? [] : problem('it holds something else');
  }
  if (request.do !== 'update' && request.do !== 'restore') return [];
  const { previous } = span;
  if (previous?.from !== request.revision) return problem(`it replaced revision ${previous?.from ?? 'none'}`);
  if (span.state.version <= previous.state.version) return problem('the counter did not grow');
  if (request.do === 'update') {
    const digest = request.digest ?? previous.state.digest;
    return holds(span, request.mark, digest) ? [] : problem('it holds something else');
  }
  const source = timeline.stateAt(span.state.uid, request.source);
  return source?.state.digest === span.state.digest ? [] : problem('it does not hold the restored values');
}

function refusedWrite(
  { id, request, answer }: Operation,
  byMark: ReadonlyMap<string, Span>,
): readonly Violation[] {
  if (answer.kind !== 'refused' || (request.do !== 'create' && request.do !== 'update')) return [];
  const span = byMark.get(request.mark);
  if (span === undefined) return [];
  return [{ rule: NEVER_LIVE, what: `operation ${id} (${answer.status}) is revision ${span.from}` }];
}

/** Nothing under the uid that was deleted may follow. */
function acknowledgedDeletion(
  { id, ended, request, answer }: Operation,
  timeline: Timeline,
  lateMs: number,
): readonly Violation[] {
  if (answer.kind !== 'deleted' || request.do !== 'delete') return [];
  const spans = timeline.ofName(request.name).filter(({ state }) => state.uid === answer.uid);
  const last = spans.at(-1);
  const what = `operation ${id}, ${request.name}`;
  const rule = 'a deletion that is acknowledged took effect';
  if (last?.to === undefined) return [{ rule, what: `${what}: the Secret is still there` }];
  if (last.from !== request.revision && !last.state.terminating)
    return [{ rule, what: `${what}: revision ${last.from} was deleted` }];
  const later = spans.some(({ fromSeenAt }) => fromSeenAt > ended + lateMs);
  return later ? [{ rule, what: `${what}: the Secret lived on` }] : [];
}

/** Each update and create writes a text that nothing else writes: the first state that holds it is its own. */
function marksOf(timeline: Timeline): ReadonlyMap<string, Span> {
  const byMark = new Map<string, Span>();
  for (const span of timeline.live()) {
    const mark = markIn(span);
    if (mark !== '' && !byMark.has(mark)) byMark.set(mark, span);
  }
  return byMark;
}

function markIn({ state }: Span): string {
  return state.description;
}

function holds({ state }: Span, mark: string, digest: string): boolean {
  return state.description === mark && state.digest === digest;
}
