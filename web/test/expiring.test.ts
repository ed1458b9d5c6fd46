import { expect, test } from 'vitest';
import { dueDatesOf, dueText, urgencyOf } from '../src/values/expiry.ts';
import { summaryOf } from './summaries.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

const inDays = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();
test.each([
  [30, 'month'],
  [8, 'month'],
  [7, 'week'],
  [0.5, 'week'],
  [-1, 'expired'],
  [-90, 'expired'],
  [31, undefined],
])('what expires in %d days is of the urgency %s', (days, urgency) => {
  expect(urgencyOf(dueDatesOf(summaryOf('a', { certificateNotAfter: inDays(days) }))[0], NOW)).toBe(urgency);
});

test('the first of certificate, value, declared date and rotation decides', () => {
  const dates = {
    certificateNotAfter: inDays(200),
    valueExpiresAt: inDays(12),
    expiresAt: inDays(20),
    rotationDueAt: inDays(-2),
  };
  const kinds = (more: object) => dueDatesOf(summaryOf('all', more)).map(({ kind }) => kind);
  expect(kinds(dates)).toEqual(['rotation', 'value', 'declared', 'certificate']);
  expect([kinds({}), kinds({ expiresAt: 'soon' })]).toEqual([[], []]);
  expect(urgencyOf(undefined, NOW)).toBeUndefined();
});

test.each([
  ['certificate', -2, 'expired 2 days ago'],
  ['certificate', 3, 'expires in 3 days'],
  ['value', 12, 'a value expires in 12 days'],
  ['value', -2, 'a value expired 2 days ago'],
  ['declared', 20, 'expires in 20 days'],
  ['rotation', -2, 'rotation due 2 days ago'],
  ['rotation', 3, 'rotation due in 3 days'],
] as const)('a %s in %i days is said as "%s"', (kind, days, text) => {
  expect(dueText({ kind, at: NOW + days * DAY_MS }, NOW)).toBe(text);
});
