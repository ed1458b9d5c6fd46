import { expect, test } from 'vitest';
import { ApiError } from '../src/api/http-client.ts';
import type { DeletedSecret, VersionList, VersionSummary } from '../src/api/secrets-api.ts';
import { eventsOf, filtered, type SecretHistory } from '../src/features/activity/events.ts';
import { summaryOf } from './summaries.ts';

const day = (number: number, hour = 0) => new Date(Date.UTC(2026, 0, number, hour)).toISOString();
const NONE = { added: [], changed: [], removed: [] };

const archived = (version: number, more: Partial<VersionSummary> = {}): VersionSummary => ({
  version,
  resourceVersion: String(version),
  createdAt: day(version + 1),
  lastModifiedAt: day(version),
  lastModifiedBy: 'ada@example.com',
  type: 'Opaque',
  keys: ['token'],
  keyCount: 1,
  binaryKeys: [],
  ...more,
});

/** A Secret whose live version is of this day, and has this number. */
function history(name: string, live: number, list: Partial<VersionList> = {}): SecretHistory {
  const lastModified = { lastModifiedAt: day(live), lastModifiedBy: 'eve@example.com' };
  return {
    secret: summaryOf(name, { version: live, creationTimestamp: day(1), ...lastModified }),
    list: { name, uid: name, version: live, versions: [], ...list },
  };
}

const deletion = (name: string, more: Partial<DeletedSecret> = {}): DeletedSecret => ({
  ...summaryOf(name),
  ...{ name, uid: `uid of ${name}`, deletedAt: day(4), deletedBy: 'bob@example.com' },
  ...more,
});

const merged = (more: Partial<Parameters<typeof eventsOf>[0]>) =>
  eventsOf({
    ...{ histories: [], deleted: [], namespace: 'team-a', hasMore: false, since: -Infinity },
    ...more,
  });
const lines = (events: ReturnType<typeof eventsOf>) =>
  events.map(({ kind, name, at, by }) => `${at.slice(0, 10)} ${name} ${kind} by ${by ?? '?'}`);

test('events of all Secrets and deletions are in one order, the last first', () => {
  const histories = [
    history('a', 5, {
      changes: { ...NONE, changed: ['token'] },
      changeNote: 'rotated',
      versions: [archived(3, { changes: NONE }), archived(1)],
    }),
    history('b', 2, { versions: [archived(1)] }),
  ];
  const events = merged({ histories, deleted: [deletion('c')] });
  expect(lines(events)).toEqual([
    '2026-01-05 a changed by eve@example.com',
    '2026-01-04 c deleted by bob@example.com',
    '2026-01-03 a changed by ada@example.com',
    '2026-01-02 b changed by eve@example.com',
    '2026-01-01 a created by ada@example.com',
    '2026-01-01 b created by ada@example.com',
  ]);
  expect(events.map(({ to }) => to)).toEqual([
    '/namespaces/team-a/secrets/a/history?view=live',
    '/namespaces/team-a/deleted?q=c',
    '/namespaces/team-a/secrets/a/history?view=3',
    '/namespaces/team-a/secrets/b/history?view=live',
    '/namespaces/team-a/secrets/a/history?view=1',
    '/namespaces/team-a/secrets/b/history?view=1',
  ]);
  expect(events[0]).toMatchObject({ changes: { ...NONE, changed: ['token'] }, note: 'rotated' });
  // All keys of a first version are new.
  expect(events[4]?.changes).toEqual({ ...NONE, added: ['token'] });
});

test('what is older than the last Secret that is loaded waits for those that are not, so that nothing comes in between', () => {
  const first = [history('a', 9, { versions: [archived(2), archived(1)] }), history('b', 5)];
  const later = [history('c', 3, { versions: [archived(1)] })];
  const before = merged({ histories: first, hasMore: true, deleted: [deletion('d')] });
  expect(lines(before)).toEqual([
    '2026-01-09 a changed by eve@example.com',
    '2026-01-05 b changed by eve@example.com',
  ]);
  const after = merged({ histories: [...first, ...later], deleted: [deletion('d')] });
  expect(after.slice(0, before.length)).toEqual(before);
  expect(lines(after).slice(before.length)).toEqual([
    '2026-01-04 d deleted by bob@example.com',
    '2026-01-03 c changed by eve@example.com',
    '2026-01-02 a changed by ada@example.com',
    '2026-01-01 a created by ada@example.com',
    '2026-01-01 c created by ada@example.com',
  ]);
});

test('events of the same moment keep their places when more is loaded', () => {
  const first = [history('b', 5)];
  const before = merged({ histories: first, hasMore: true });
  const after = merged({ histories: [...first, history('a', 5)] });
  expect(after.slice(0, 1)).toEqual(before);
});

test('a period ends the events, those of a Secret that changed in it too', () => {
  const histories = [history('a', 5, { versions: [archived(3), archived(1)] })];
  const deleted = [deletion('c', { deletedAt: day(2) })];
  const inPeriod = ['2026-01-05 a changed by eve@example.com', '2026-01-03 a changed by ada@example.com'];
  expect(lines(merged({ histories, deleted, since: Date.parse(day(3)) }))).toEqual(inPeriod);
  // What was loaded for a longer period is there until that of the shorter one comes.
  const longer = { histories: [...histories, history('b', 2)], hasMore: true };
  expect(lines(merged({ ...longer, deleted, since: Date.parse(day(3)) }))).toEqual(inPeriod);
});

test.each([
  [403, "You don't have access to its history."],
  [404, 'It no longer exists.'],
  [503, "Couldn't read its history: busy."],
])('a Secret whose versions answer %i is in its place, and says why', (status, words) => {
  const { secret } = history('b', 4);
  const error = new ApiError(status, 'busy', undefined);
  const events = merged({ histories: [history('a', 5), { secret, error }, history('c', 3)] });
  expect(lines(events)).toEqual([
    '2026-01-05 a changed by eve@example.com',
    '2026-01-04 b changed by eve@example.com',
    '2026-01-03 c changed by eve@example.com',
  ]);
  expect(events[1]).toMatchObject({ otherwise: words, to: '/namespaces/team-a/secrets/b/history' });
});

test('the oldest version that is kept is no creation, and says that older ones are not kept', () => {
  const [, oldest] = merged({ histories: [history('a', 9, { versions: [archived(4)] })] });
  expect(oldest).toMatchObject({
    kind: 'changed',
    changes: undefined,
    otherwise: 'older versions are not kept',
  });
});

test('a counter that someone set back creates nothing', () => {
  const events = merged({ histories: [history('a', 1, { versions: [archived(4)] })] });
  expect(events.map(({ kind }) => kind)).toEqual(['changed', 'changed']);
});

test('a Secret that takes the name of a deleted one is created again, before that it was not', () => {
  const kindOf = (created: number) => {
    const secret = summaryOf('a', { lastModifiedAt: day(created) });
    const list = { name: 'a', uid: 'a', version: 1, versions: [] };
    const events = merged({ histories: [{ secret, list }], deleted: [deletion('a')] });
    return events.find(({ kind }) => kind !== 'deleted')?.kind;
  };
  expect([kindOf(3), kindOf(5)]).toEqual(['created', 'created again']);
});

test('without a time of its own, a version was made when the one before it was archived, and a first one with its Secret', () => {
  const { lastModifiedAt, ...first } = archived(1, { createdAt: day(6) });
  expect(lastModifiedAt).toBeDefined();
  const second = archived(2, { lastModifiedAt: 'not a time', createdAt: day(7) });
  // The list of Secrets is behind that of the versions: who made the live one is not known yet.
  const secret = summaryOf('a', { version: 2, creationTimestamp: day(1), lastModifiedBy: 'eve@example.com' });
  const list = { name: 'a', uid: 'a', version: 3, versions: [second, first] };
  expect(lines(merged({ histories: [{ secret, list }] }))).toEqual([
    '2026-01-07 a changed by ?',
    '2026-01-06 a changed by ada@example.com',
    '2026-01-01 a created by ada@example.com',
  ]);
});

test('who deleted a Secret is not said where it may have been another, and without a time there is no event', () => {
  const { deletedAt, ...timeless } = deletion('b');
  expect(deletedAt).toBeDefined();
  const [event, ...rest] = merged({ deleted: [deletion('a', { uncertain: true }), timeless] });
  expect(event).toMatchObject({ name: 'a', by: undefined });
  expect(event?.note).toContain('Someone else');
  // Its keys are gone with it.
  expect(event?.changes).toEqual({ ...NONE, removed: ['token'] });
  expect(rest).toEqual([]);
});

test('events are narrowed down by person, and by the text of a name or of a key that changed', () => {
  const changes = { added: ['API_TOKEN'], changed: ['host'], removed: ['port'] };
  const events = merged({
    histories: [history('a', 5, { changes, versions: [archived(1, { keys: ['user'] })] })],
    deleted: [deletion('tokens')],
  });
  const found = (person: string, text: string) => lines(filtered(events, { person, text }));
  const [live, deleted, created] = lines(events);
  expect(found('', ' TOKEN ')).toEqual([live, deleted]);
  expect(found('', 'port')).toEqual([live]);
  expect(found('ada@example.com', '')).toEqual([created]);
  expect(found('ada@example.com', 'token')).toEqual([]);
});
