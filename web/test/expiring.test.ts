import { expect, test } from 'vitest';
import type { SecretSummary } from '../src/api/secrets-api.ts';
import { dueDatesOf, dueText, urgentGroups } from '../src/values/expiry.ts';
import { summaryOf } from './summaries.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

const inDays = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();
const certificate = (name: string, days: number): SecretSummary =>
  summaryOf(name, { certificateNotAfter: inDays(days) });
const namesOf = (secrets: readonly SecretSummary[]) => secrets.map(({ name }) => name);

test('what expires is grouped by how soon, the next to expire first', () => {
  const secrets = [30, 8, 7, 0.5, -1, -90, 31].map((days) => certificate(`in ${days} days`, days));
  const groups = urgentGroups(secrets, NOW).map(({ urgency, secrets: those }) => [urgency, namesOf(those)]);
  expect(groups).toEqual([
    ['expired', ['in -90 days', 'in -1 days']],
    ['week', ['in 0.5 days', 'in 7 days']],
    ['month', ['in 8 days', 'in 30 days']],
  ]);
});

test('the first of certificate, declared date and rotation decides', () => {
  const dates = { certificateNotAfter: inDays(200), expiresAt: inDays(20), rotationDueAt: inDays(-2) };
  const all = summaryOf('all', dates);
  expect(dueDatesOf(all).map(({ kind }) => kind)).toEqual(['rotation', 'declared', 'certificate']);
  const malformed = summaryOf('malformed', { expiresAt: 'soon' });
  expect(urgentGroups([summaryOf('none', {}), malformed, all], NOW)).toEqual([
    { urgency: 'expired', secrets: [all] },
  ]);
});

test.each([
  ['certificate', -2, 'expired 2 days ago'],
  ['certificate', 3, 'expires in 3 days'],
  ['declared', 20, 'expires in 20 days'],
  ['rotation', -2, 'rotation due 2 days ago'],
  ['rotation', 3, 'rotation due in 3 days'],
] as const)('a %s in %i days is said as "%s"', (kind, days, text) => {
  expect(dueText({ kind, at: NOW + days * DAY_MS }, NOW)).toBe(text);
});
