import { expect, test } from 'vitest';
import { asOfText } from '../src/features/list/as-of.ts';
import { keptView, withKeptView } from '../src/features/list/kept-view.ts';
import { WHOLE_LIST } from '../src/features/list/list-view.ts';

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
  expect(asOfText(now - 60_000, now)).not.toContain('2026');
  expect(asOfText(now - 13 * 3_600_000, now)).toContain('2026');
});
