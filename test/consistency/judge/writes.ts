import type { Operation, Recording } from '../recording.ts';
import type { Span, Timeline } from './timeline.ts';
import type { Violation } from './violation.ts';

const TOOK_EFFECT = 'an acknowledged write took effect, on the revision that it named';
const NEVER_LIVE = 'a refused write was never live';

/** A state that the service wrote over another one, and whether it was acknowledged. */
export interface Replacement {
  readonly before: Span;
  readonly after: Span;
  readonly acknowledged: boolean;
}

/** Every update and restore that took effect, as the cluster's stream shows it. */
export function replacementsOf({ operations }: Recording, timeline: Timeline): readonly Replacement[] {
  const byLabel = labelsOf(timeline);
  return operations.flatMap((operation) => {
    const { request, answer } = operation;
    if (request.do !== 'update' && request.do !== 'restore') return [];
    const acknowledged = answer.kind === 'secret';
    // The label of a restore is not its own, so an unacknowledged one looks like kubectl's work.
    const after = acknowledged
      ? timeline.madeBy(answer.revision)
      : request.do === 'update'
        ? byLabel.get(request.label)
        : undefined;
    const before = after?.previous;
    return after === undefined || before === undefined ? [] : [{ before, after, acknowledged }];
  });
}

export function judgeWrites({ operations, lateMs }: Recording, timeline: Timeline): readonly Violation[] {
  const byLabel = labelsOf(timeline);
  return operations.flatMap((operation) => [
    ...acknowledgedWrite(operation, timeline),
    ...refusedWrite(operation, byLabel),
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
    return holds(span, request.label, request.digest) ? [] : problem('it holds something else');
  }
  if (request.do !== 'update' && request.do !== 'restore') return [];
  const { previous } = span;
  if (previous?.from !== request.revision) return problem(`it replaced revision ${previous?.from ?? 'none'}`);
  if (span.state.version <= previous.state.version) return problem('the counter did not grow');
  if (request.do === 'update') {
    const digest = request.digest ?? previous.state.digest;
    return holds(span, request.label, digest) ? [] : problem('it holds something else');
  }
  const source = timeline.stateAt(span.state.uid, request.source);
  return source?.state.digest === span.state.digest ? [] : problem('it does not hold the restored values');
}

function refusedWrite(
  { id, request, answer }: Operation,
  byLabel: ReadonlyMap<string, Span>,
): readonly Violation[] {
  if (answer.kind !== 'refused' || (request.do !== 'create' && request.do !== 'update')) return [];
  const span = byLabel.get(request.label);
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
function labelsOf(timeline: Timeline): ReadonlyMap<string, Span> {
  const byLabel = new Map<string, Span>();
  for (const span of timeline.live()) {
    const label = labelIn(span);
    if (label !== '' && !byLabel.has(label)) byLabel.set(label, span);
  }
  return byLabel;
}

function labelIn({ state }: Span): string {
  return state.description;
}

function holds({ state }: Span, label: string, digest: string): boolean {
  return state.description === label && state.digest === digest;
}
