import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, listOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { becomes, openReplicas, type Replica, type Replicas } from '../replicas.ts';

const LIVE = { headers: { 'cache-control': 'no-cache' } };
const OVER_BUDGET = /is over budget/;

let fixture: Replicas;
let replica: Replica;
let developer: ApiClient;
let namespace: string;

// A cluster for each test: a watch that was silenced stays so.
beforeEach(async () => {
  fixture = await openReplicas({ env: { LOG_LEVEL: 'info' } });
  replica = await fixture.replica();
  developer = await clientFor(replica.url, DEVELOPER_A);
  namespace = await fixture.namespace();
});
afterEach(() => fixture.close());

const list = (client: ApiClient = replica.admin, options = {}) => client.get(secretsPath(namespace), options);
const listedFromCache = (count: number) =>
  becomes(
    async () => {
      const answer = await list();
      return answer.headers.get('x-list-source') === 'cache' && listOf(answer).secrets.length === count;
    },
    true,
    30_000,
  );

/** The requests within the namespace while `act` runs. */
async function requestsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const since = fixture.dev.requests.last;
  await act();
  return fixture.dev.requests
    .list(since)
    .filter((call) => call.namespace === namespace && call.verb !== 'watch')
    .map(({ verb, resource }) => `${verb} ${resource}`);
}

/** So that all who list are there before the first is answered. */
const slowLists = () => {
  const match = { verb: 'list', resource: 'secrets', namespace };
  fixture.dev.faults.add({ match, action: { type: 'delay', ms: 2_000 } });
};

const forty = async (send: () => ReturnType<typeof list>) => {
  const answers = await Promise.all(Array.from({ length: 40 }, send));
  for (const answer of answers) expect(listOf(answer).secrets).toHaveLength(3);
  return answers;
};

describe('forty lists at once', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await fixture.kube.createSecret(namespace, nativeSecret(name));
    await listedFromCache(3);
  });

  it.each([
    ['of an administrator', () => replica.admin, ['list secrets', 'list secrets']],
    [
      'of people who need the policy',
      () => developer,
      ['get configmaps', 'get configmaps', 'list secrets', 'list secrets'],
    ],
  ])('that are to be live, %s, are a few requests to the cluster', async (_who, client, most) => {
    slowLists();
    const requests = await requestsOf(() => forty(() => list(client(), LIVE)));
    expect(requests.length).toBeLessThanOrEqual(most.length + 2); // the policy of the first may be read again
    expect(requests.filter((request) => request === 'list secrets')).toHaveLength(2);
  });

  it('do not become forty collections while the watch is silent', async () => {
    const silent = await fixture.replica({ SERVICE_CACHE_MAX_SILENCE: '1s' });
    const match = { verb: 'watch', path: '^/api/v1/secrets' };
    fixture.dev.faults.add({ match, action: { type: 'silenceWatch' } });
    const isLive = async () => (await list(silent.admin)).headers.get('x-list-source');
    await becomes(isLive, 'live', 30_000);
    slowLists();
    expect(await requestsOf(() => forty(() => list(silent.admin)))).toEqual(['list secrets', 'list secrets']);
  });
});

describe('a list from the cache', () => {
  it('never joins an older policy with newer Secrets: who was never allowed sees nothing', async () => {
    const name = 'db';
    const own = { 'service.io/allowed-groups': 'team-b' };
    await fixture.kube.createSecret(namespace, nativeSecret(name, {}, { metadata: { annotations: own } }));
    await listedFromCache(1);
    expect(listOf(await list(developer)).secrets).toEqual([]);
    const match = { verb: 'watch', path: '^/api/v1/configmaps' };
    fixture.dev.faults.add({ match, action: { type: 'silenceWatch' } });
    await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-b"]' });
    await fixture.kube.patchSecret(namespace, name, {
      metadata: { annotations: { 'service.io/allowed-groups': '' } },
    });
    const cleared = async () => listOf(await list()).secrets[0]?.allowedGroups.length;
    await becomes(cleared, 0);
    for (let time = 0; time < 5; time++) expect(listOf(await list(developer)).secrets).toEqual([]);
  });

  it('requests the policy once after a change, however many lists follow', async () => {
    await fixture.kube.createSecret(namespace, nativeSecret('a'));
    await listedFromCache(1);
    const requests = await requestsOf(async () => {
      for (let time = 0; time < 20; time++) {
        expect((await list(developer)).headers.get('x-list-source')).toBe('cache');
      }
    });
    expect(requests.length).toBeLessThanOrEqual(1);
  });
});

it('a namespace at its budget is listed, beyond it refused at once, without a request to the cluster', async () => {
  const names = Array.from({ length: 5_000 }, (_one, index) => `s-${index}`).values();
  const work = async () => {
    for (const name of names) await fixture.kube.createSecret(namespace, { metadata: { name } });
  };
  await Promise.all(Array.from({ length: 32 }, work));
  await listedFromCache(5_000);
  await fixture.kube.createSecret(namespace, { metadata: { name: 'one-more' } });
  await becomes(async () => (await list()).status, 503);
  const requests = await requestsOf(async () => {
    for (const options of [{}, LIVE]) {
      expect(errorOf(await list(replica.admin, options), 503)).toMatch(OVER_BUDGET);
      expect(errorOf(await list(developer, options), 503)).toMatch(OVER_BUDGET);
    }
  });
  expect(requests).toEqual([]);
  expect((await replica.metrics()).join('\n')).toMatch(
    /service_list_answers_total\{source="refused",reason="tooManyObjects"\} [1-9]/,
  );
  await fixture.kube.deleteSecret(namespace, 'one-more');
  await listedFromCache(5_000);
}, 120_000);
