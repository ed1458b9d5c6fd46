import { describe, expect, test } from 'vitest';
import type { DeletedSecret, DescribedSecret, SecretSummary } from '../src/api/secrets-api.ts';
import { ApiError } from '../src/api/http-client.ts';
import {
  lookAtRemoval,
  isRestored,
  undelete,
  undeleteTitle,
  type Undelete,
} from '../src/features/deleted/undelete.ts';

const deleted: DeletedSecret = {
  name: 'db',
  uid: 'uid-1',
  type: 'Opaque',
  keys: ['b', 'a'],
  keyCount: 2,
  binaryKeys: [],
  description: 'the database',
  version: 7,
  allowedGroups: ['team-a'],
  allowedUsers: [],
  deletedBy: 'dev@example.com',
  deletedAt: '2026-03-04T05:06:07Z',
};
const restored: SecretSummary = {
  namespace: 'shared',
  name: 'db',
  type: 'Opaque',
  keys: ['a', 'b'],
  keyCount: 2,
  description: 'the database',
  version: 1,
  resourceVersion: '10',
  creationTimestamp: '2026-03-04T05:07:00Z',
  allowedGroups: ['team-a'],
  allowedUsers: [],
  managedByService: true,
  immutable: false,
  binaryKeys: [],
};
const requested: Undelete = { ref: { namespace: 'shared', uid: 'uid-1' }, deleted, name: 'db' };
const error = (status: number) => new ApiError(status, 'x', undefined);

/** A service that answers a restore with this, and then has this of the name. */
function service(answer: SecretSummary | ApiError, found: SecretSummary | ApiError = error(404)) {
  const calls: string[] = [];
  const give = <Given>(call: string, given: Given | ApiError): Promise<Given> => {
    calls.push(call);
    return given instanceof ApiError ? Promise.reject(given) : Promise.resolve(given);
  };
  return {
    calls,
    restoreDeleted: () => give('restore', answer),
    describe: ({ name }: { readonly name: string }) =>
      give<DescribedSecret>(
        `describe ${name}`,
        found instanceof ApiError ? found : { ...found, warnings: [] },
      ),
  };
}

describe('a restore of a deleted Secret', () => {
  test('that succeeds is not looked up', async () => {
    const api = service(restored);
    expect(await undelete(api, requested)).toEqual({ kind: 'restored', name: 'db' });
    expect(api.calls).toEqual(['restore']);
  });

  test.each([
    ['shows the Secret: restored', restored, 'restored'],
    ['shows another Secret', { ...restored, description: 'other' }, 'taken'],
    ['shows nothing: unknown, since it may still be at work', error(404), 'unknown'],
    ['cannot be read: unknown', error(503), 'unknown'],
    ['is forbidden: unknown', error(403), 'unknown'],
  ])('whose answer is lost, and its name %s', async (_what, found, state) => {
    for (const lost of [error(0), error(503), error(504)]) {
      const outcome = await undelete(service(lost, found), requested);
      expect(outcome.kind === 'failed' ? outcome.state : outcome.kind).toBe(state);
    }
  });

  test('that the service has ended, and that shows nowhere, was not done', async () => {
    const ended = new ApiError(503, 'x', 'the-id');
    expect(await undelete(service(ended), requested)).toMatchObject({ state: 'notRestored' });
  });

  test.each([
    [404, 'gone'],
    [403, 'refused'],
    [422, 'refused'],
    [409, 'taken'],
  ])('that is refused with %i is not looked up', async (status, state) => {
    const api = service(error(status), restored);
    expect(await undelete(api, requested)).toMatchObject({ kind: 'failed', state });
    expect(api.calls).toEqual(['restore']);
  });

  test('whose name is taken by what an earlier attempt may have restored is looked up', async () => {
    const api = service(error(409), restored);
    expect(await undelete(api, requested, true)).toMatchObject({ kind: 'restored' });
    expect(api.calls).toEqual(['restore', 'describe db']);
    for (const found of [{ ...restored, type: 'other' }, error(404), error(403)]) {
      const outcome = await undelete(service(error(409), found), requested, true);
      expect(outcome).toMatchObject({ kind: 'failed', state: 'taken' });
    }
    expect(await undelete(service(error(409), error(503)), requested, true)).toMatchObject({
      state: 'unknown',
    });
  });
});

test('only a restore that is known to have failed is said to have failed', () => {
  expect(undeleteTitle('db', 'notRestored')).toBe("Couldn't restore db");
  expect(undeleteTitle('db', 'unknown')).toBe('db may or may not have been restored');
});

test.each<Partial<SecretSummary>>([
  { version: 2 },
  { type: 'kubernetes.io/tls' },
  { description: '' },
  { keys: ['a'] },
  { allowedGroups: [] },
  { allowedUsers: ['me@example.com'] },
])('a Secret with %j is not the restored one', (other) => {
  expect(isRestored(deleted, restored)).toBe(true);
  expect(isRestored(deleted, { ...restored, ...other })).toBe(false);
});

test.each([
  ['not found: removed before', error(404), [deleted], 'removed'],
  ['lost, and no longer listed', error(0), [], 'removed'],
  ['lost, and still listed: it may still be at work', error(504), [deleted], 'unknown'],
  ['given once it has ended, and still listed', new ApiError(503, 'x', 'the-id'), [deleted], 'kept'],
  ['lost, and nothing can be read', error(503), error(503), 'unknown'],
  ['refused: it is still listed', error(409), [deleted], 'kept'],
  ['refused: the Secret exists', error(409), [], 'refused'],
  ['denied', error(403), [deleted], 'refused'],
])('a permanent removal whose answer is %s', async (_what, answer, listed, state) => {
  const api = {
    deleted: () => (listed instanceof ApiError ? Promise.reject(listed) : Promise.resolve(listed)),
  };
  expect(await lookAtRemoval(api, requested.ref, answer)).toBe(state);
});
