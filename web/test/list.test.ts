import { expect, test } from 'vitest';
import type { SecretSummary } from '../src/api/secrets-api.ts';
import { formatAgo, formatDateTime, formatToday } from '../src/values/format.ts';
import { keptView, withKeptView } from '../src/features/list/kept-view.ts';
import { viewOf, WHOLE_LIST } from '../src/features/list/list-view.ts';

const KEPT = {
  view: { text: 'a', type: 't', managed: 'managed', sort: 'changed', descending: true },
  tableTop: 10,
  screenTop: 20,
} as const;

test('a view is read back from where it was kept, beside what else is there', () => {
  const state = withKeptView({ usr: 'x' }, KEPT);
  expect(state).toMatchObject({ usr: 'x' });
  expect(keptView(state)).toEqual(KEPT);
  expect(keptView(withKeptView(null, KEPT))).toEqual(KEPT);
});

test.each([
  null,
  'text',
  {},
  { list: null },
  { list: { view: 1, tableTop: 'x', screenTop: -1 } },
  { list: { view: { text: 1, type: {}, managed: 'x', sort: '__proto__', descending: 1 } } },
])('%j is no view, so the whole list is shown', (state) => {
  expect(keptView(state)).toEqual({ view: WHOLE_LIST, tableTop: 0, screenTop: 0 });
});

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
  expect(formatAgo(now - 86_400_000, now)).toBe('yesterday');
});

test.each(['BILLING', 'team-orders', 'ada@'])(
  'the filter finds %s in a description or an access rule',
  (text) => {
    const secret: SecretSummary = {
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
    const other = { ...secret, name: 'two', description: '', allowedGroups: [], allowedUsers: [] };
    expect(viewOf([secret, other], { ...WHOLE_LIST, text })).toEqual([secret]);
  },
);
