import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';
import { annotation } from '../../harness/annotation.ts';

const BINARY = Uint8Array.of(0, 1, 255);
const RULES = { [annotation('allowed-groups')]: 'team-a', [annotation('description')]: 'the database' };

let stack: Stack;
let namespace: string;
let secrets: SecretsClient;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
  secrets = secretsOf(stack.admin, namespace);
});

const pathTo = (uid = '', rest = '') =>
  `/api/namespaces/${namespace}/deleted${uid === '' ? '' : `/${uid}`}${rest}`;
const deleteArchived = async (name: string, client: ApiClient = stack.admin): Promise<ApiAnswer> => {
  const { resourceVersion } = await secrets.read(name);
  return client.delete(secrets.deletePath(name, resourceVersion, '&keepHistory=true&archive=true'));
};
/** Creates a Secret, deletes it with archive, and returns its UID. */
const withDeleted = async (annotations: object = RULES, type = 'Opaque'): Promise<string> => {
  const data = { text: 'planted-text', binary: BINARY, __proto__key: '' };
  await stack.kube.createSecret(namespace, nativeSecret('db', data, { type, metadata: { annotations } }));
  const { uid } = jsonOf(await deleteArchived('db'), 200) as { uid: string };
  return uid;
};
const listed = async (client: ApiClient) =>
  (jsonOf(await client.get(pathTo()), 200) as { deleted: { name: string; uid: string }[] }).deleted;

describe('the parameter archive of a deletion', () => {
  it.each([
    ['yes', '&keepHistory=true&archive=yes'],
    ['an empty value', '&keepHistory=true&archive='],
    ['TRUE', '&keepHistory=true&archive=TRUE'],
    ['two values', '&keepHistory=true&archive=true&archive=true'],
    ['true without keepHistory', '&archive=true'],
    ['true with keepHistory=false', '&archive=true&keepHistory=false'],
  ])('%s is 400, and nothing is deleted or archived', async (_what, query) => {
    const { resourceVersion } = await secrets.create('a');
    const before = await stateOf(stack.kube, namespace);
    errorOf(await stack.admin.delete(secrets.deletePath('a', resourceVersion, query)), 400);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  it('is false by default: nothing is archived', async () => {
    const { resourceVersion } = await secrets.create('a');
    const answer = await stack.admin.delete(secrets.deletePath('a', resourceVersion, '&keepHistory=true'));
    expect(jsonOf(answer, 200)).toMatchObject({ history: 'retained' });
    expect(await stack.kube.listSecrets(namespace)).toEqual([]);
  });

  it('archives the live state and says that history is retained', async () => {
    await secrets.createWithHistory('a', 2);
    expect(jsonOf(await deleteArchived('a'), 200)).toMatchObject({ status: 'deleted', history: 'retained' });
    expect(await stack.kube.listSecrets(namespace, annotation('kind=history'))).toHaveLength(3);
    expect(await stack.kube.listSecrets(namespace, annotation('history-final=true'))).toHaveLength(1);
  });
});

describe('GET /deleted', () => {
  it('has the namespace, and of each Secret everything but its values', async () => {
    const uid = await withDeleted();
    const answer = await stack.admin.get(pathTo());
    const { deleted, ...rest } = jsonOf(answer, 200) as { deleted: Record<string, unknown>[] };
    expect(rest).toEqual({ namespace });
    expect(deleted).toEqual([
      {
        name: 'db',
        uid,
        type: 'Opaque',
        keys: ['__proto__key', 'binary', 'text'],
        keyCount: 3,
        binaryKeys: ['binary'],
        description: 'the database',
        version: 1,
        allowedGroups: ['team-a'],
        allowedUsers: [],
        deletedBy: 'admin@example.com',
        deletedAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
    expect(answer.text).not.toContain('planted-text');
  });

  it('has the access rules that a pending deletion was given last', async () => {
    const held = { annotations: RULES, finalizers: ['example.com/hold'] };
    await stack.kube.createSecret(namespace, nativeSecret('held', { key: 'v' }, { metadata: held }));
    jsonOf(await deleteArchived('held'), 202);
    const { resourceVersion } = await secrets.read('held');
    const path = `/api/namespaces/${namespace}/secrets/held`;
    const tightened = { resourceVersion, allowedGroups: ['team-b'] };
    expect(secretOf(await stack.admin.put(path, tightened)).allowedGroups).toEqual(['team-b']);
    await stack.kube.removeFinalizers(namespace);
    expect(await listed(stack.developerA)).toEqual([]);
    expect(await listed(stack.developerB)).toMatchObject([{ name: 'held', allowedGroups: ['team-b'] }]);
  });

  it('is empty in an empty namespace and in one that does not exist', async () => {
    expect(await listed(stack.admin)).toEqual([]);
    const absent = `/api/namespaces/no-${namespace}/deleted`;
    expect(jsonOf(await stack.admin.get(absent), 200)).toEqual({ namespace: `no-${namespace}`, deleted: [] });
  });

  it('shows each person what the live Secret would have shown', async () => {
    await withDeleted();
    expect(await listed(stack.developerA)).toHaveLength(1);
    expect(await listed(stack.developerB)).toEqual([]);
  });

  it('is 503 for a policy that cannot be understood, but for admins', async () => {
    await withDeleted();
    await stack.kube.setPolicy(namespace, { allowedGroups: 'team-a' });
    errorOf(await stack.developerA.get(pathTo()), 503);
    expect(await listed(stack.admin)).toHaveLength(1);
  });

  it('comes in pages with limit and continue, each Secret once', async () => {
    const uids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      await secrets.create(name);
      uids.push((jsonOf(await deleteArchived(name), 200) as { uid: string }).uid);
    }
    interface Page {
      readonly deleted: readonly { readonly uid: string }[];
      readonly continue?: string;
    }
    const first = jsonOf(await stack.admin.get(`${pathTo()}?limit=2`), 200) as Page;
    const token = encodeURIComponent(first.continue ?? '');
    const second = jsonOf(await stack.admin.get(`${pathTo()}?limit=2&continue=${token}`), 200) as Page;
    expect([...first.deleted, ...second.deleted].map(({ uid }) => uid)).toEqual(uids.toReversed());
    expect(second).not.toHaveProperty('continue');
    errorOf(await stack.developerA.get(`${pathTo()}?limit=2&continue=${token}`), 410);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'limit=1&limit=2',
    'continue=AAAA',
    'limit=1&continue=',
    'limit=1&continue=AAAA',
    'limit=1&continue=a&continue=a',
  ])('is 400 with %s', async (query) => {
    errorOf(await stack.admin.get(`${pathTo()}?${query}`), 400);
  });

  it('needs a session and a well-formed namespace', async () => {
    errorOf(await stack.anonymous.get(pathTo()), 401);
    errorOf(await stack.admin.get('/api/namespaces/Bad_Name/deleted'), 400);
  });
});

describe('POST /deleted/:uid/restore', () => {
  it('creates the Secret again with its bytes, text and binary', async () => {
    const uid = await withDeleted();
    const answer = await stack.developerA.send('POST', pathTo(uid, '/restore'), {});
    const summary = (jsonOf(answer, 201) as { secret: object }).secret;
    expect(summary).toMatchObject({
      name: 'db',
      version: 1,
      description: 'the database',
      allowedGroups: ['team-a'],
    });
    expect(summary).not.toHaveProperty('data');
    expect(await secrets.read('db')).toMatchObject({
      data: { text: 'planted-text', __proto__key: '' },
      binaryData: { binary: Buffer.from(BINARY).toString('base64') },
    });
    expect(await secrets.versions('db')).toEqual([]);
  });

  it('takes another name, and another only', async () => {
    const uid = await withDeleted();
    errorOf(await stack.admin.post(pathTo(uid, '/restore'), { name: 'Bad_Name' }), 400);
    errorOf(await stack.admin.post(pathTo(uid, '/restore'), { name: 7 }), 400);
    errorOf(await stack.admin.post(pathTo(uid, '/restore'), { nmae: 'copy' }), 400);
    const restored = await stack.admin.post(pathTo(uid, '/restore'), { name: 'copy' });
    expect(secretOf(restored, 201)).toMatchObject({ name: 'copy' });
    expect(await stack.kube.getSecret(namespace, 'db')).toBeUndefined();
  });

  it('is 409 when the name exists', async () => {
    const uid = await withDeleted();
    await secrets.create('db');
    const before = await stateOf(stack.kube, namespace);
    errorOf(await stack.admin.post(pathTo(uid, '/restore'), {}), 409);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  it('is 422 where a creation would be', async () => {
    await stack.kube.createServiceAccount(namespace, 'robot');
    const annotations = { 'kubernetes.io/service-account.name': 'robot' };
    const uid = await withDeleted(annotations, 'kubernetes.io/service-account-token');
    errorOf(await stack.admin.post(pathTo(uid, '/restore'), {}), 422);
  });
});

describe('DELETE /deleted/:uid', () => {
  it('removes all snapshots of the UID, and nothing else', async () => {
    await secrets.createWithHistory('other', 1);
    await secrets.createWithHistory('db', 2);
    const before = await stateOf(stack.kube, namespace);
    const { uid } = jsonOf(await deleteArchived('db'), 200) as { uid: string };
    const answer = await stack.admin.delete(pathTo(uid));
    expect(jsonOf(answer, 200)).toEqual({ name: 'db', uid, history: 'cleaned' });
    expect(await stateOf(stack.kube, namespace)).toEqual(before.filter((line) => !/^db[ .]/.test(line)));
    errorOf(await stack.admin.delete(pathTo(uid)), 404);
  });
});

describe('the order of checks on a deleted Secret', () => {
  const restore = (client: ApiClient, uid: string, sent: object = {}) =>
    client.send('POST', pathTo(uid, '/restore'), sent);
  const malformed = { body: '{', headers: { 'content-type': 'text/plain' } };

  it('401, 400 for the path, 404, 403, then the body', async () => {
    const uid = await withDeleted();
    errorOf(await restore(stack.anonymous, 'Bad%20uid', malformed), 401);
    errorOf(await restore(stack.admin, 'Bad%20uid', malformed), 400);
    errorOf(await restore(stack.admin, 'absent', malformed), 404);
    errorOf(await restore(stack.developerB, uid, malformed), 403);
    errorOf(await restore(stack.developerA, uid, malformed), 415);
    errorOf(await stack.developerB.delete(pathTo(uid)), 403);
  });

  it('403 for someone who may not create there, before the fields', async () => {
    const uid = await withDeleted();
    await stack.kube.setPolicy(namespace, { allowedGroups: '["team-b"]' });
    errorOf(await stack.developerA.post(pathTo(uid, '/restore'), { nmae: 'x' }), 403);
  });

  it('404 for a snapshot that is not final', async () => {
    await secrets.createWithHistory('a', 1);
    const uid = (await stack.kube.getSecret(namespace, 'a'))?.metadata.uid ?? '';
    errorOf(await restore(stack.admin, uid), 404);
    errorOf(await stack.admin.delete(pathTo(uid)), 404);
  });

  it('409 while the Secret waits for finalizers', async () => {
    const metadata = { finalizers: ['example.com/hold'] };
    await stack.kube.createSecret(namespace, nativeSecret('held', { key: 'v' }, { metadata }));
    const { uid } = jsonOf(await deleteArchived('held'), 202) as { uid: string };
    expect(await listed(stack.admin)).toEqual([]);
    errorOf(await restore(stack.admin, uid), 409);
    errorOf(await stack.admin.delete(pathTo(uid)), 409);
    await stack.kube.removeFinalizers(namespace);
    expect((await listed(stack.admin)).map((one) => one.uid)).toEqual([uid]);
  });
});
