import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { errorOf, jsonOf, listOf } from '../../harness/answers.ts';
import { ADMIN, person, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { becomes } from '../../integration/replicas.ts';

/** Every route under every level, from the record of the route: `x-access-level` of the OpenAPI document. */

const LEVELS = ['none', 'read', 'write', 'manage'] as const;
type Level = (typeof LEVELS)[number];

const PEOPLE = {
  none: person('none@example.com', ['others']),
  read: person('reader@example.com', ['readers']),
  write: person('writer@example.com', ['writers']),
  manage: person('manager@example.com', ['managers']),
  admin: ADMIN,
} as const;
const WHO = ['none', 'read', 'write', 'manage', 'admin'] as const;
type Who = (typeof WHO)[number];
const levelOf = (who: Who): Level => (who === 'admin' ? 'manage' : who);
const includes = (given: Level, wanted: Level) => LEVELS.indexOf(given) >= LEVELS.indexOf(wanted);

const LISTS = { allowedGroups: ['managers'], writerGroups: ['writers'], readerGroups: ['readers'] };
const POLICY = Object.fromEntries(Object.entries(LISTS).map(([key, list]) => [key, JSON.stringify(list)]));
const ANNOTATIONS = {
  [annotation('allowed-groups')]: 'managers',
  [annotation('writer-groups')]: 'writers',
  [annotation('reader-groups')]: 'readers',
};

let stack: Stack;
const clients = new Map<Who, ApiClient>();
/** Where the rules of the namespace decide, and where those of the Secret do: no one is in its policy. */
const places = new Map<string, string>();
/** The level of each operation, as the service documents it. */
let documented: ReadonlyMap<string, Level>;

beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'warn', SERVICE_RESTART_ENABLED: 'true' } });
  for (const who of WHO) clients.set(who, await stack.client(PEOPLE[who]));
  const document = jsonOf(await stack.admin.get('/api/openapi.json'), 200) as {
    paths: Record<string, Record<string, { operationId: string; 'x-access-level'?: Level }>>;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  documented = new Map(
    operations.flatMap(({ operationId, 'x-access-level': level }) =>
      level === undefined ? [] : [[operationId, level]],
    ),
  );
  for (const [by, policy, annotations] of [
    ['the namespace', POLICY, {}],
    ['the Secret', { allowedUsers: '["no-one@example.com"]' }, ANNOTATIONS],
  ] as const) {
    const namespace = await stack.namespace();
    places.set(by, namespace);
    await stack.kube.createSecret(
      namespace,
      nativeSecret('db', { key: 'v1' }, { metadata: { annotations } }),
    );
    await secretsOf(stack.admin, namespace).update('db', { data: { key: 'v2' } });
    await stack.kube.setPolicy(namespace, policy);
  }
});
afterAll(() => stack.close());

interface Request {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly path: (rest?: string) => string;
}

/** A deleted Secret of its own, with the rules of the others. */
async function deletedUid(namespace: string, annotations: object): Promise<string> {
  const name = `deleted-${crypto.randomUUID()}`;
  await stack.kube.createSecret(namespace, nativeSecret(name, { key: 'v' }, { metadata: { annotations } }));
  const secrets = secretsOf(stack.admin, namespace);
  const { resourceVersion } = await secrets.read(name);
  const query = '&keepHistory=true&archive=true';
  const answer = await stack.admin.delete(secrets.deletePath(name, resourceVersion, query));
  return (jsonOf(answer, 200) as { uid: string }).uid;
}

const deletedPath = async ({ namespace }: Request, rest = '') => {
  const annotations = namespace === places.get('the Secret') ? ANNOTATIONS : {};
  return `/api/namespaces/${namespace}/deleted/${await deletedUid(namespace, annotations)}${rest}`;
};

/** A request of each operation on one Secret that changes nothing of it, and how it is answered where access is given. */
const NAMED: Readonly<Record<string, readonly [passes: number, send: (of: Request) => Promise<ApiAnswer>]>> =
  {
    getSecret: [200, ({ client, path }) => client.get(path())],
    getKey: [200, ({ client, path }) => client.get(path('/keys/key'))],
    getVersionKey: [200, ({ client, path }) => client.get(path('/versions/1/keys/key'))],
    listVersions: [200, ({ client, path }) => client.get(path('/versions'))],
    getVersion: [200, ({ client, path }) => client.get(path('/versions/1'))],
    listConsumers: [200, ({ client, path }) => client.get(path('/consumers'))],
    explainAccess: [200, ({ client, path }) => client.get(path('/access'))],
    updateSecret: [409, ({ client, path }) => client.put(path(), { resourceVersion: 'stale' })],
    patchSecret: [
      409,
      ({ client, path }) =>
        client.send('PATCH', path(), { json: { resourceVersion: 'stale', description: 'd' } }),
    ],
    restoreVersion: [
      409,
      ({ client, path }) => client.post(path('/restore'), { resourceVersion: 'stale', version: 1 }),
    ],
    restartConsumers: [200, ({ client, path }) => client.post(path('/restart'), { consumers: [] })],
    deleteSecret: [409, ({ client, path }) => client.delete(path('?resourceVersion=stale'))],
    removeDeletedSecret: [200, async (of) => of.client.delete(await deletedPath(of))],
  };

/** Operations with tests of their own below. */
const READS = ['listSecrets', 'listDeletedSecrets', 'searchSecrets', 'listExpiring'];
const OTHERS = [...READS, 'createSecret', 'restoreDeletedSecret'];

function requestOf(who: Who, by: string): Request {
  const client = clients.get(who);
  const namespace = places.get(by);
  if (client === undefined || namespace === undefined) throw new Error(`there is no ${who} and ${by}`);
  return { client, namespace, path: (rest = '') => secretsOf(client, namespace).path('db', rest) };
}

const denial = (level: Level) => `You do not have ${level} access to this`;

describe('every route under every level', () => {
  it('has a level, and a request in this test', () => {
    expect([...documented.keys()].sort()).toEqual([...Object.keys(NAMED), ...OTHERS].sort());
  });

  it.each<[string, Level]>([
    ...[...READS, 'getSecret', 'getKey', 'getVersionKey'].map(
      (operation) => [operation, 'read'] as [string, Level],
    ),
    ...['listVersions', 'getVersion', 'listConsumers', 'explainAccess'].map(
      (operation) => [operation, 'read'] as [string, Level],
    ),
    ...['createSecret', 'updateSecret', 'patchSecret', 'restoreVersion', 'restartConsumers'].map(
      (operation) => [operation, 'write'] as [string, Level],
    ),
    ...['deleteSecret', 'restoreDeletedSecret', 'removeDeletedSecret'].map(
      (operation) => [operation, 'manage'] as [string, Level],
    ),
  ])('%s needs %s, as decided', (operation, level) => {
    expect(documented.get(operation)).toBe(level);
  });

  describe.each(['the namespace', 'the Secret'])('by the rules of %s', (by) => {
    describe.each(WHO)('%s', (who) => {
      it.each(Object.keys(NAMED))(
        '%s: passes with its level, and a 403 names the level',
        async (operation) => {
          const [passes, send] = NAMED[operation] ?? [0, () => Promise.reject(new Error(operation))];
          const wanted = documented.get(operation) ?? 'manage';
          const answer = await send(requestOf(who, by));
          if (includes(levelOf(who), wanted)) expect(answer.status).toBe(passes);
          else expect(errorOf(answer, 403)).toBe(denial(wanted));
        },
      );

      it('lists and deleted Secrets show what one may read', async () => {
        const { client, namespace } = requestOf(who, by);
        const shown = levelOf(who) === 'none' ? [] : ['db'];
        const path = secretsOf(client, namespace).path();
        for (const query of ['', '?limit=500']) {
          await becomes(
            async () => listOf(await client.get(path + query)).secrets.map(({ name }) => name),
            shown,
          );
        }
        const uid = await deletedUid(namespace, by === 'the Secret' ? ANNOTATIONS : {});
        const { deleted } = jsonOf(await client.get(`/api/namespaces/${namespace}/deleted`), 200) as {
          deleted: { uid: string }[];
        };
        expect(deleted.some((one) => one.uid === uid)).toBe(levelOf(who) !== 'none');
      });

      it('searches find what one may read', async () => {
        const { client, namespace } = requestOf(who, by);
        const search = async () => {
          const { results } = jsonOf(await client.get(`/api/search?q=${namespace}+db`), 200) as {
            results: { name: string }[];
          };
          return results.map(({ name }) => name);
        };
        await becomes(search, levelOf(who) === 'none' ? [] : ['db']);
      });

      it('GET …/access has the level and the rule that gives it', async () => {
        const { client, path } = requestOf(who, by);
        if (levelOf(who) === 'none') return;
        const source = who === 'admin' ? 'admin' : by === 'the Secret' ? 'secret' : 'namespace';
        expect(jsonOf(await client.get(path('/access')), 200)).toMatchObject({
          level: levelOf(who),
          by: source,
        });
      });
    });
  });

  describe.each(WHO)('in the namespace, %s', (who) => {
    it('creates, and sees `canCreate`, with write', async () => {
      const { client, namespace } = requestOf(who, 'the namespace');
      const path = secretsOf(client, namespace).path();
      const answer = await client.post(path, { name: 'db' });
      const mayCreate = includes(levelOf(who), 'write');
      if (mayCreate) expect(answer.status).toBe(409);
      else expect(errorOf(answer, 403)).toBe(denial('write'));
      expect(listOf(await client.get(path)).canCreate).toBe(mayCreate);
      const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
        namespaces: { name: string; canCreate: boolean }[];
      };
      expect(namespaces.find(({ name }) => name === namespace)?.canCreate).toBe(mayCreate);
    });

    it('GET /api/access has the level there', async () => {
      const { client, namespace } = requestOf(who, 'the namespace');
      expect(jsonOf(await client.get(`/api/access?namespace=${namespace}`), 200)).toEqual({
        admin: who === 'admin',
        level: levelOf(who),
        by: who === 'admin' ? 'admin' : 'namespace',
        namespaceRules: who === 'none' ? { state: 'hidden' } : { state: 'rules', allowedUsers: [], ...LISTS },
      });
    });
  });

  it('restoring a deleted Secret needs manage on it, and write in the namespace', async () => {
    for (const who of WHO) {
      const there = requestOf(who, 'the namespace');
      const answer = await there.client.post(await deletedPath(there, '/restore'), { name: 'db' });
      if (includes(levelOf(who), 'manage')) expect(answer.status).toBe(409);
      else expect(errorOf(answer, 403)).toBe(denial('manage'));
      const elsewhere = requestOf(who, 'the Secret');
      const refused = await elsewhere.client.post(await deletedPath(elsewhere, '/restore'), { name: 'db' });
      if (who === 'admin') expect(refused.status).toBe(409);
      else expect(errorOf(refused, 403)).toBe(denial(who === 'manage' ? 'write' : 'manage'));
    }
  });
});
