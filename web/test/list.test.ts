import { expect, test } from 'vitest';
import type { SecretSummary } from '../src/api/secrets-api.ts';
import { formatAgo, formatDateTime, formatToday } from '../src/values/format.ts';
import { keptPlace, withKeptPlace, searchOf, viewFrom } from '../src/features/list/use-kept-view.ts';
import { viewOf, WHOLE_LIST, type View, type Viewer } from '../src/features/list/list-view.ts';

const KEPT = { tableTop: 10, screenTop: 20 } as const;

test('a place is read back from where it was kept, beside what else is there', () => {
  const state = withKeptPlace({ usr: 'x' }, KEPT);
  expect(state).toMatchObject({ usr: 'x' });
  expect(keptPlace(state)).toEqual(KEPT);
  expect(keptPlace(withKeptPlace(null, KEPT))).toEqual(KEPT);
});

test.each([null, 'text', {}, { list: null }, { list: { tableTop: 'x', screenTop: -1 } }])(
  '%j is no place, so the list begins at its top',
  (state) => {
    expect(keptPlace(state)).toEqual({ tableTop: 0, screenTop: 0 });
  },
);

test('a view is read back from its address, and the whole list has none', () => {
  const view: View = {
    text: 'a&b=ü ',
    type: 'kubernetes.io/tls',
    expires: 'soon',
    writer: 'controller',
    access: 'mine',
    sort: 'changed',
    descending: true,
  };
  expect(viewFrom(searchOf(view))).toEqual(view);
  expect(searchOf(WHOLE_LIST)).toBe('');
  expect(viewFrom('')).toEqual(WHOLE_LIST);
});

test.each(['?expires=x&writer=__proto__&access=&sort=constructor', '?other=1'])(
  '%s names no view, so the whole list is shown',
  (search) => {
    expect(viewFrom(search)).toEqual(WHOLE_LIST);
  },
);

test('a list of today has the time of day, an older one its date as well', () => {
  const now = new Date(2026, 2, 4, 12, 0, 0).getTime();
  expect(formatToday(now - 60_000, now)).not.toContain('2026');
  expect(formatToday(now - 13 * 3_600_000, now)).toContain('2026');
});

test('times are English whatever the language of the browser, and what is newest is "just now"', () => {
  const now = new Date(2026, 2, 4, 15, 0, 0).getTime();
  expect(formatDateTime(new Date(now))).toMatch(/^Mar 4, 2026, 15:00$/);
  expect(formatAgo(now - 20_000, now)).toBe('just now');
  expect(formatAgo(now - 120_000, now)).toBe('2 minutes ago');
  expect(formatAgo(now - 86_400_000, now)).toBe('1 day ago');
});

test('what is up to 48 hours away is not said to be of yesterday or tomorrow', () => {
  const now = new Date(2026, 2, 4, 15, 0, 0).getTime();
  expect(formatAgo(now - 47 * 3_600_000, now)).toBe('1 day ago');
  expect(formatAgo(now + 47 * 3_600_000, now)).toBe('in 1 day');
});

const NOW = Date.parse('2026-06-01T00:00:00Z');
const VIEWER: Viewer = {
  me: { sub: '1', email: 'Ada@example.com', name: 'Ada', groups: ['team-orders'] },
  now: NOW,
};
const ONE: SecretSummary = {
  namespace: 'n',
  name: 'one',
  type: 'Opaque',
  keys: ['token'],
  keyCount: 1,
  binaryKeys: [],
  description: 'Used by billing',
  version: 1,
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
  immutable: false,
  managedByService: true,
  allowedGroups: ['team-orders'],
  allowedUsers: ['ada@example.com'],
};
const OTHER: SecretSummary = {
  ...ONE,
  name: 'two',
  description: '',
  allowedGroups: [],
  allowedUsers: [],
  managedByService: false,
};

test.each(['BILLING', 'team-orders', 'ada@'])(
  'the filter finds %s in a description or an access rule',
  (text) => {
    expect(viewOf([ONE, OTHER], { ...WHOLE_LIST, text }, VIEWER)).toEqual([ONE]);
  },
);

test.each([
  [{ access: 'mine' }, ['one']],
  [{ access: 'rules' }, ['one']],
  [{ access: 'namespace', expires: 'all' }, ['ended', 'ending', 'lasting', 'two']],
  [{ access: 'changed' }, ['ended']],
  [{ writer: 'service' }, ['one']],
  [{ writer: 'unmanaged' }, ['ended', 'ending', 'lasting', 'two']],
  [{ writer: 'controller' }, ['ending']],
  [{ expires: 'expired' }, ['ended']],
  [{ expires: 'soon' }, ['ended', 'ending']],
  [{ expires: 'certificate', sort: 'expires' }, ['ended', 'ending', 'lasting']],
  [{ sort: 'expires', type: 'Opaque', access: 'rules' }, ['one']],
] as const)('%j shows %j', (view, names) => {
  const secrets: readonly SecretSummary[] = [
    ONE,
    OTHER,
    { ...OTHER, name: 'lasting', certificateNotAfter: '2026-07-02T00:00:00Z', type: 'kubernetes.io/tls' },
    {
      ...OTHER,
      name: 'ending',
      certificateNotAfter: '2026-06-30T00:00:00Z',
      controlledBy: { kind: 'Certificate', name: 'web' },
    },
    {
      ...OTHER,
      name: 'ended',
      certificateNotAfter: '2026-05-31T00:00:00Z',
      lastModifiedBy: 'ada@example.com',
    },
  ];
  const shown = viewOf(secrets, { ...WHOLE_LIST, ...view }, VIEWER).map(({ name }) => name);
  expect(shown).toEqual(names);
});

test('one whose last change has a malformed time is in the order of changes by its creation', () => {
  const changed = (name: string, lastModifiedAt: string) => ({ ...OTHER, name, lastModifiedAt });
  const secrets = [
    changed('last', '2026-03-01T00:00:00Z'),
    changed('first', 'yesterday'),
    changed('between', '2026-02-01T00:00:00Z'),
  ];
  const shown = viewOf(secrets, { ...WHOLE_LIST, sort: 'changed' }, VIEWER).map(({ name }) => name);
  expect(shown).toEqual(['first', 'between', 'last']);
});
