import { describe, expect, test } from 'vitest';
import type { DeletedSecret, SecretList, SecretSummary } from '../src/api/secrets-api.ts';
import { ApiError } from '../src/api/http-client.ts';
import { lookAtRemoval, isRestored, undelete, type Undelete } from '../src/features/deleted/undelete.ts';

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

/** A service that answers a restore with this, and then lists these. */
function service(answer: SecretSummary | ApiError, listed: readonly SecretSummary[] | ApiError = []) {
  const calls: string[] = [];
  const give = <Given>(call: string, given: Given | ApiError): Promise<Given> => {
    calls.push(call);
    return given instanceof ApiError ? Promise.reject(given) : Promise.resolve(given);
  };
  const list = (secrets: readonly SecretSummary[]): SecretList => ({
    ...{ namespace: 'shared', secrets, canCreate: true, asOf: 0 },
  });
  return {
    calls,
    restoreDeleted: () => give('restore', answer),
    list: () => give('list', listed instanceof ApiError ? listed : list(listed)),
  };
}

describe('a restore of a deleted Secret', () => {
  test('that succeeds is not looked up', async () => {
    const api = service(restored);
    expect(await undelete(api, requested)).toEqual({ kind: 'restored', name: 'db' });
    expect(api.calls).toEqual(['restore']);
  });

  test.each([
    ['shows the Secret: restored', [restored], 'restored'],
    ['shows another Secret of that name', [{ ...restored, description: 'other' }], 'taken'],
    ['shows nothing: not restored', [], 'notRestored'],
    ['cannot be read: unknown', error(503), 'unknown'],
  ])('whose answer is lost, and the list %s', async (_what, listed, state) => {
    for (const lost of [error(0), error(503), error(504)]) {
      const outcome = await undelete(service(lost, listed), requested);
      expect(outcome.kind === 'failed' ? outcome.state : outcome.kind).toBe(state);
    }
  });

  test.each([
    [404, 'gone'],
    [403, 'refused'],
    [422, 'refused'],
    [409, 'taken'],
  ])('that is refused with %i is not looked up', async (status, state) => {
    const api = service(error(status), [restored]);
    expect(await undelete(api, requested)).toMatchObject({ kind: 'failed', state });
    expect(api.calls).toEqual(['restore']);
  });

  test('whose name is taken by what an earlier attempt may have restored is looked up', async () => {
    expect(await undelete(service(error(409), [restored]), requested, true)).toMatchObject({
      kind: 'restored',
    });
    for (const listed of [[{ ...restored, type: 'other' }], [], error(503)]) {
      const outcome = await undelete(service(error(409), listed), requested, true);
      expect(outcome).toMatchObject({ kind: 'failed', state: 'taken' });
    }
  });
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
  ['lost, and still listed', error(503), [deleted], 'kept'],
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
