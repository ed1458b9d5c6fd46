import { expect, test } from 'vitest';
import { ApiError } from '../src/api/http-client.ts';
import type { SecretsApi } from '../src/api/secrets-api.ts';
import { runBulk, type BulkOutcome, type BulkState } from '../src/features/bulk/bulk-job.ts';
import { deletion, deletionText } from '../src/features/delete/deletion.ts';
import { summaryOf } from './summaries.ts';

/** Of one Secret for each state, of which `restorable` can be restored. */
function textOf(states: readonly BulkState[], restorable = 0): string {
  const names = states.map((state, index) => `${state}-${index}`);
  const outcomes = new Map(states.map((state, index) => [names[index] ?? '', { state }]));
  const secrets = names.map((name) => summaryOf(name, {}));
  return deletionText(secrets, outcomes, restorable);
}

test.each<[BulkState, string]>([
  ['pending', 'is being deleted: waiting for finalizers.'],
  ['gone', 'no longer exists.'],
  ['same', 'was not deleted.'],
  ['changed', 'was not deleted.'],
  ['replaced', 'was not deleted.'],
  ['notTried', 'was not deleted.'],
  ['unknown', 'may or may not have been deleted.'],
  ['done', 'and its history are deleted permanently.'],
])('a Secret whose deletion ends as %s is not said to be anything else', (state, text) => {
  expect(textOf([state])).toBe(`${state}-0 ${text}`);
});

test('a Secret that can be restored is not said to be deleted permanently', () => {
  expect(textOf(['done'], 1)).toBe('done-0 is deleted.');
});

test('of several Secrets, those whose outcome is not known are counted as neither deleted nor left', () => {
  expect(textOf(['done', 'unknown', 'unknown', 'changed', 'same'], 1)).toBe(
    '1 Secret deleted, 2 may or may not have been deleted, 2 not deleted.',
  );
});

test('a deletion that an earlier request has done, without an answer, can be undone', async () => {
  const secret = summaryOf('lost', { version: 3 });
  const uid = 'uid-1';
  const api: Pick<SecretsApi, 'remove' | 'deleted'> = {
    remove: () => Promise.reject(new ApiError(404, 'No such Secret', 'the-id')),
    deleted: () => Promise.resolve([{ ...secret, uid, deletedBy: 'me', deletedAt: '' }]),
  };
  const outcomes: BulkOutcome[] = [];
  await runBulk({
    secrets: [secret],
    job: deletion(api, true),
    readNow: () => Promise.resolve(undefined),
    onOutcome: (_name, outcome) => outcomes.push(outcome),
    isStopped: () => false,
  });
  expect(outcomes).toEqual([expect.objectContaining({ state: 'done', uid })]);
});
