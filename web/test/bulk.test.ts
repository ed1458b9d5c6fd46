import { expect, test } from 'vitest';
import { rulesOf } from '../../src/contract/access-rules.ts';
import { ApiError } from '../src/api/http-client.ts';
import type { SecretSummary } from '../src/api/secrets-api.ts';
import { runBulk, type BulkJob, type BulkOutcome } from '../src/features/bulk/bulk-job.ts';
import { changedRules } from '../src/features/bulk/changed-rules.ts';
import { summaryOf } from './summaries.ts';

const secret = (name: string): SecretSummary => summaryOf(name, { namespace: 'n', keys: [], keyCount: 0 });
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

async function run(send: BulkJob['send'], more: Partial<Parameters<typeof runBulk>[0]> = {}) {
  const outcomes = new Map<string, BulkOutcome['state']>();
  const reads: string[] = [];
  await runBulk({
    secrets: NAMES.map(secret),
    job: { send, settle: (_before, now) => ({ state: now === undefined ? 'gone' : 'same' }) },
    readNow: ({ name }) => {
      reads.push(name);
      return Promise.resolve(['b', 'f'].includes(name) ? secret(name) : undefined);
    },
    isStopped: () => false,
    ...more,
    onOutcome: (name, { state }) => void outcomes.set(name, state),
  });
  return { outcomes, reads };
}

test('four requests at most are on their way', async () => {
  let [now, most] = [0, 0];
  const { outcomes } = await run(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
    return { state: 'done' };
  });
  expect(most).toBe(4);
  expect([...outcomes.values()]).toEqual(NAMES.map(() => 'done'));
});

test('answers that leave open what happened are looked up, each by the name of its Secret', async () => {
  const { outcomes, reads } = await run(({ name }) => {
    if (name === 'a' || name === 'b') return Promise.reject(new ApiError(0, 'lost', undefined));
    if (name === 'c') return Promise.reject(new ApiError(409, 'conflict', undefined));
    if (name === 'f') return Promise.reject(new ApiError(503, 'unavailable', 'the-id'));
    if (name === 'd') return Promise.reject(new ApiError(403, 'forbidden', undefined));
    if (name === 'e') return Promise.reject(new ApiError(404, 'not found', undefined));
    return Promise.resolve({ state: 'done' });
  });
  // Of the one that is not found, an earlier request may have done it.
  expect(reads).toEqual(['a', 'b', 'c', 'e', 'f']);
  expect(Object.fromEntries(outcomes)).toEqual({
    // The request of b may still be at work.
    ...{ a: 'gone', b: 'unknown', c: 'gone', d: 'same', e: 'gone' },
    ...{ f: 'same', g: 'done', h: 'done' },
  });
});

test('what cannot be looked up stays open, or is hidden now', async () => {
  const { outcomes } = await run(() => Promise.reject(new ApiError(503, 'uncertain', undefined)), {
    readNow: ({ name }) => Promise.reject(new ApiError(name === 'a' ? 403 : 503, 'not now', undefined)),
  });
  const { a, ...others } = Object.fromEntries(outcomes);
  expect(a).toBe('hidden');
  expect(new Set(Object.values(others))).toEqual(new Set(['unknown']));
});

test('without a session, and after a stop, no further request is sent', async () => {
  let sent = 0;
  const signedOut = await run(() => {
    sent += 1;
    return Promise.reject(new ApiError(401, 'Sign-in required', undefined));
  });
  expect(sent).toBe(4);
  expect([...signedOut.outcomes.values()].filter((state) => state === 'notTried')).toHaveLength(4);
  let stopped = false;
  const { outcomes } = await run(
    () => {
      stopped = true;
      return Promise.resolve({ state: 'done' });
    },
    { isStopped: () => stopped },
  );
  expect([...outcomes.values()].filter((state) => state === 'done')).toHaveLength(1);
});

test.each([
  ['add', ['team-a', 'team-b'], ['Ada@example.com']],
  ['remove', [], []],
  ['replace', ['team-a', 'team-b'], ['ADA@example.com']],
] as const)('%s changes groups exactly, and users as emails', (mode, allowedGroups, allowedUsers) => {
  const old = { allowedGroups: ['team-a'], allowedUsers: ['Ada@example.com'] };
  const change = { allowedGroups: ['team-a', 'team-b'], allowedUsers: ['ADA@example.com'] };
  expect(rulesOf(changedRules(old, mode, change))).toEqual({ allowedGroups, allowedUsers });
});
