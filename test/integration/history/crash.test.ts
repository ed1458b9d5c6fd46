import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { becomes, shortNames, historyOf, type Replicas } from '../replicas.ts';
import { broken, openVictim, type Victim } from './victim.ts';

// The service is killed after each of its calls to the cluster, and started again. What it left must be whole: the
// live Secret as it was or as it should become, nothing archived wrongly, and the user can finish by trying again.

const ENV = { SERVICE_HISTORY_LIMIT: '2' };

let victim: Victim;
let fixture: Replicas;
let namespace: string;
beforeAll(async () => {
  victim = await openVictim();
  fixture = victim.fixture;
  // Holds the Lease, so that the victim's calls are those of its requests alone; and finds nothing to do.
  const leader = await fixture.replica({ SERVICE_HISTORY_LIMIT: '1000' });
  await becomes(async () => (await leader.metrics()).includes('service_leader 1'), true);
  await victim.start(ENV);
});
afterAll(() => victim.close());
beforeEach(async () => {
  namespace = await fixture.namespace();
  await secretsOf(await client(), namespace).createWithHistory('a', 2);
});
afterEach(() => {
  fixture.dev.faults.clear();
});

const client = (): Promise<ApiClient> => victim.client();

/** Lets the service make `calls` calls for this work, kills it before it learns of the last one, and starts it again. */
async function crash(
  work: (api: ApiClient) => Promise<unknown>,
  calls: number,
  api?: ApiClient,
  verbs?: readonly string[],
): Promise<readonly string[]> {
  const user = api ?? (await client());
  const made = await victim.crash(namespace, calls, () => broken(work(user)), verbs);
  await victim.start(ENV);
  return made;
}

const live = () => fixture.kube.getSecret(namespace, 'a');
const textOf = (data: Record<string, string> | undefined) =>
  Buffer.from(data?.['key'] ?? '', 'base64').toString();

/** Versions and their values, newest first, as the API returns them. */
async function history(): Promise<readonly string[]> {
  const api = await client();
  const secrets = secretsOf(api, namespace);
  const versions = await secrets.versions('a');
  return Promise.all(
    versions.map(async (version) => {
      const { json } = await api.get(secrets.path('a', `/versions/${version}`));
      return `${version}: ${(json as { version: { data: { key: string } } }).version.data.key}`;
    }),
  );
}

interface Change {
  readonly calls: readonly string[];
  readonly path: '' | '/restore';
  readonly body: object;
  readonly value: string;
  /** What someone outside the service has done to the live Secret before. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The version that is written, and the history, once it is finished after a kill after so many calls. */
  readonly version?: (count: number) => number;
  readonly history?: (count: number) => readonly string[];
}

const CHANGES: Readonly<Record<string, Change>> = {
  update: {
    calls: ['get', 'create', 'delete', 'update'],
    body: { data: { key: 'new' } },
    path: '',
    value: 'new',
  },
  restore: {
    calls: ['get', 'get', 'create', 'delete', 'update'],
    body: { version: 2 },
    path: '/restore',
    value: 'value 2',
  },
  // Its source is beyond the limit, and goes last. After a kill it is left to the reconciler, or to the next update.
  'sparing restore': {
    calls: ['get', 'get', 'create', 'update', 'delete'],
    body: { version: 1 },
    path: '/restore',
    value: 'value 1',
    history: (count) => ['3: value 3', '2: value 2', ...(count === 4 ? ['1: value 1'] : [])],
  },
  // A snapshot that was stored before the kill keeps its number: the repeated recovery takes the next one.
  recovery: {
    calls: ['get', 'list', 'create', 'delete', 'update'],
    body: { data: { key: 'new' }, recoverCounter: true },
    path: '',
    value: 'new',
    annotations: { 'service.io/version': '1' },
    version: (count) => ([3, 4].includes(count) ? 5 : 4),
    history: (count) => [...([3, 4].includes(count) ? ['4: value 3'] : []), ...['3: value 3', '2: value 2']],
  },
};

describe.each(Object.entries(CHANGES))(
  '%s',
  (_kind, { calls, body, path, value, annotations, ...expected }) => {
    const replaced = calls.indexOf('update') + 1;
    const change = async (api: ApiClient): Promise<unknown> => {
      const resourceVersion = (await live())?.metadata.resourceVersion;
      const target = secretsOf(api, namespace).path('a', path);
      const request = { resourceVersion, ...body };
      return path === '' ? api.put(target, request) : api.post(target, request);
    };

    it.each(calls.map((verb, index) => [index + 1, verb] as const))(
      'killed after call %i (%s): the Secret is as it was or as it should be, and the user can finish',
      async (count) => {
        if (annotations !== undefined)
          await fixture.kube.patchSecret(namespace, 'a', { metadata: { annotations } });
        const before = await live();
        // After the update, the service confirms by a patch when its watch is behind.
        const verbs = count > replaced ? calls : undefined;
        expect(await crash(change, count, undefined, verbs)).toEqual(calls.slice(0, count));
        if (count < replaced) {
          expect(await live()).toEqual(before);
          expect(await change(await client())).toMatchObject({ status: 200 });
        }
        const version = expected.version?.(count) ?? 4;
        expect((await live())?.metadata.annotations?.['service.io/version']).toBe(String(version));
        expect(textOf((await live())?.data)).toBe(value);
        expect(await history()).toEqual(expected.history?.(count) ?? ['3: value 3', '2: value 2']);
        // Whatever was left behind, the next update brings the history back to its limit.
        await secretsOf(await client(), namespace).update('a', { description: 'next' });
        expect(await history()).toEqual([`${version}: ${value}`, `${version - 1}: value 3`]);
      },
    );
  },
);

describe('create', () => {
  const calls = ['get', 'create'];
  const create = (api: ApiClient): Promise<unknown> => {
    const target = secretsOf(api, namespace).path();
    return api.post(target, { name: 'b', data: { key: 'new' }, allowedGroups: ['team-a'] });
  };
  const created = () => fixture.kube.getSecret(namespace, 'b');

  it.each(calls.map((verb, index) => [index + 1, verb] as const))(
    'killed after call %i (%s): the Secret is not there or whole, and the user can finish',
    async (count) => {
      await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
      expect(await crash(create, count, await victim.client(DEVELOPER_A))).toEqual(calls.slice(0, count));
      const before = await created();
      expect(before === undefined).toBe(count < calls.length);
      const again = await create(await victim.client(DEVELOPER_A));
      expect(again).toMatchObject({ status: before === undefined ? 201 : 409 });
      const after = await created();
      if (before !== undefined) expect(after).toEqual(before);
      expect(textOf(after?.data)).toBe('new');
      expect(after?.metadata.annotations).toMatchObject({
        'service.io/version': '1',
        'service.io/managed-by': 'service',
        'service.io/allowed-groups': 'team-a',
      });
      expect(shortNames(await historyOf(fixture.kube, namespace))).toEqual(['a.v1', 'a.v2']);
    },
  );
});

describe('delete', () => {
  const each = ['get', 'delete', 'get'];
  const calls = ['get', 'list', ...each, ...each, 'list', 'get', 'delete', 'get'];
  const remove = async (api: ApiClient): Promise<unknown> => {
    const revision = (await live())?.metadata.resourceVersion ?? '';
    return api.delete(secretsOf(api, namespace).deletePath('a', revision));
  };

  it.each(calls.map((verb, index) => [index + 1, verb] as const))(
    'killed after call %i (%s): the Secret is as it was or gone with its history, and the user can finish',
    async (count) => {
      const before = await live();
      expect(await crash(remove, count)).toEqual(calls.slice(0, count));
      if (count < calls.length - 1) {
        expect(await live()).toEqual(before);
        expect(await remove(await client())).toMatchObject({ status: 200 });
      }
      expect(await live()).toBeUndefined();
      expect(shortNames(await historyOf(fixture.kube, namespace))).toEqual([]);
    },
  );
});

describe('delete with keepHistory', () => {
  const calls = ['get', 'get', 'delete', 'get'];
  const remove = async (api: ApiClient): Promise<unknown> => {
    const revision = (await live())?.metadata.resourceVersion ?? '';
    return api.delete(secretsOf(api, namespace).deletePath('a', revision, '&keepHistory=true'));
  };

  it.each(calls.map((verb, index) => [index + 1, verb] as const))(
    'killed after call %i (%s): the Secret is as it was or gone, its history untouched, and the user can finish',
    async (count) => {
      const [before, kept] = [await live(), await historyOf(fixture.kube, namespace)];
      expect(await crash(remove, count)).toEqual(calls.slice(0, count));
      if (count <= calls.indexOf('delete')) {
        expect(await live()).toEqual(before);
        expect(await remove(await client())).toMatchObject({ status: 200, json: { history: 'retained' } });
      }
      expect(await live()).toBeUndefined();
      expect(await historyOf(fixture.kube, namespace)).toEqual(kept);
    },
  );
});
