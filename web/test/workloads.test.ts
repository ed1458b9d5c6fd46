import { expect, test } from 'vitest';
import type { Consumer } from '../src/api/secrets-api.ts';
import { needsRestart, progressOf, usesInWords, type Progress } from '../src/features/restart/workloads.ts';

const consumer = (kind: Consumer['kind'], ...uses: Consumer['uses'][number][]): Consumer => {
  return { kind, name: 'a', uses };
};

test.each([
  [consumer('Deployment', 'env'), true],
  [consumer('StatefulSet', 'envFrom', 'volume'), true],
  [consumer('DaemonSet', 'volume'), false],
  [consumer('Deployment', 'imagePullSecret'), false],
  [consumer('CronJob', 'env'), false],
])('%o needs a restart: %s', (one, needed) => {
  expect(needsRestart(one)).toBe(needed);
});

test('uses are said in words', () => {
  expect(usesInWords(['envFrom', 'volume'])).toBe('all keys as environment variables, files in a volume');
});

const rollout = (more: object) => ({ desired: 3, updated: 2, available: 3, done: false, ...more });
const web = { kind: 'Deployment', name: 'a' } as const;

test.each<[string, object, Progress]>([
  ['is not observed', { updated: 0 }, { state: 'waiting', text: '0 of 3 updated' }],
  ['replaces pods', {}, { state: 'waiting', text: '2 of 3 updated' }],
  [
    'waits for new pods',
    { updated: 3, available: 2 },
    { state: 'waiting', text: '3 of 3 updated, 2 available' },
  ],
  [
    'has more pods than it is to have',
    { updated: 5, available: 6 },
    { state: 'waiting', text: '3 of 3 updated, 3 available' },
  ],
  ['is done', { updated: 3, done: true }, { state: 'done', text: 'Restarted' }],
  [
    'has exceeded its deadline',
    { reason: 'progressDeadlineExceeded' },
    { state: 'failed', text: 'Not finished: progress deadline exceeded' },
  ],
  [
    'replaces deleted pods only',
    { reason: 'onDelete' },
    { state: 'failed', text: 'Not finished: its pods are replaced once someone deletes them' },
  ],
])('the progress of a workload that %s', (_what, more, progress) => {
  const consumers = [
    consumer('StatefulSet', 'env'),
    { ...consumer('Deployment', 'env'), rollout: rollout(more) },
  ];
  expect(progressOf(web, consumers)).toEqual(progress);
});

test('a workload is waited for until ten minutes are over, or it is no longer there', () => {
  const consumers = [{ ...consumer('Deployment', 'env'), rollout: rollout({}) }];
  const late = (text: string) => ({ state: 'failed', text });
  expect(progressOf(web, undefined)).toEqual({ state: 'waiting', text: 'Started' });
  expect(progressOf(web, undefined, true)).toEqual(late('Not finished after 10 minutes'));
  expect(progressOf(web, consumers, true)).toEqual(late('Not finished after 10 minutes: 2 of 3 updated'));
  const finished = [{ ...consumer('Deployment', 'env'), rollout: rollout({ done: true }) }];
  expect(progressOf(web, finished, true)).toEqual({ state: 'done', text: 'Restarted' });
  expect(progressOf(web, [consumer('StatefulSet', 'env')])).toEqual(
    late('Not finished: it no longer uses this Secret'),
  );
});
