import { describe, expect, it } from 'vitest';
import { errorOf, jsonOf } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { usingEnv, usingVolume } from '../../harness/workloads.ts';
import { DENYING_POLICY, openConsumersFixture } from './consumers-fixture.ts';

/** What uses a Secret: docs/api.md, "Consumers". */

const here = openConsumersFixture();

describe('GET …/consumers', () => {
  it('is an empty list where nothing uses the Secret', async () => {
    expect(jsonOf(await here.stack.developerA.get(here.pathTo('consumers')), 200)).toEqual({ consumers: [] });
  });

  it('names Deployments, StatefulSets, DaemonSets and CronJobs whose pod template names the Secret, by kind and name', async () => {
    await here.populate();
    await here.workloads.create('Deployment', 'also-uses-it', usingVolume('db'));
    expect(await here.consumers()).toEqual([
      { kind: 'CronJob', name: 'uses-it', uses: ['env'] },
      { kind: 'DaemonSet', name: 'uses-it', uses: ['env'] },
      { kind: 'Deployment', name: 'also-uses-it', uses: ['volume'] },
      { kind: 'Deployment', name: 'uses-it', uses: ['env'] },
      { kind: 'StatefulSet', name: 'uses-it', uses: ['env'] },
    ]);
  });

  it('lists every way of using it, each once, in the order env, envFrom, volume, imagePullSecret', async () => {
    const main = { name: 'main', image: 'registry.example.com/main:1' };
    await here.workloads.create('Deployment', 'all', {
      imagePullSecrets: [{ name: 'db' }],
      volumes: [
        { name: 'one', secret: { secretName: 'db', optional: true } },
        { name: 'two', projected: { sources: [{ secret: { name: 'db' } }] } },
      ],
      initContainers: [{ ...main, name: 'first', envFrom: [{ secretRef: { name: 'db', optional: true } }] }],
      containers: [
        { ...main, env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'db', key: 'key' } } }] },
      ],
    });
    expect(await here.consumers()).toEqual([
      { kind: 'Deployment', name: 'all', uses: ['env', 'envFrom', 'volume', 'imagePullSecret'] },
    ]);
  });

  it('looks at the namespace of the Secret only', async () => {
    const there = await here.stack.namespace();
    await here.stack.kube.createSecret(there, nativeSecret('db'));
    await here.populate();
    expect(jsonOf(await here.stack.admin.get(secretsPath(there, 'db', 'consumers')), 200)).toEqual({
      consumers: [],
    });
  });

  it('finds all of many workloads', async () => {
    const names = Array.from({ length: 25 }, (_item, index) => `w-${String(index).padStart(2, '0')}`);
    for (const name of names) await here.workloads.create('Deployment', name, usingEnv('db'));
    expect((await here.consumers()).map((one) => (one as { name: string }).name)).toEqual(names);
  });

  it('returns nothing of a workload but its kind, its name and the uses', async () => {
    const env = [
      { name: 'OTHER', value: 'planted-4711' },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'key' } } },
    ];
    await here.workloads.create('Deployment', 'web', {
      containers: [{ name: 'main', image: 'registry.example.com/main:1', env }],
    });
    const answer = await here.stack.developerA.get(here.pathTo('consumers'));
    expect(answer.json).toEqual({ consumers: [{ kind: 'Deployment', name: 'web', uses: ['env'] }] });
  });
});

describe('GET …/consumers?progress=true', () => {
  const inProgress = async () => {
    const answer = await here.stack.developerA.get(`${here.pathTo('consumers')}?progress=true`);
    return (jsonOf(answer, 200) as { consumers: readonly { kind: string; rollout?: unknown }[] }).consumers;
  };

  it('adds the rollout of Deployments, StatefulSets and DaemonSets, and nothing of CronJobs', async () => {
    await here.populate();
    const rollout = {
      desired: expect.any(Number) as number,
      updated: expect.any(Number) as number,
      available: expect.any(Number) as number,
      done: expect.any(Boolean) as boolean,
    };
    expect(await inProgress()).toEqual([
      { kind: 'CronJob', name: 'uses-it', uses: ['env'] },
      { kind: 'DaemonSet', name: 'uses-it', uses: ['env'], rollout },
      { kind: 'Deployment', name: 'uses-it', uses: ['env'], rollout },
      { kind: 'StatefulSet', name: 'uses-it', uses: ['env'], rollout },
    ]);
  });

  it.runIf(ON_DEV_CLUSTER)('follows a restart until all pods are replaced', async () => {
    await here.workloads.create('Deployment', 'web', usingEnv('db'), { replicas: 2 });
    const rolloutAfter = async (steps: number) => {
      for (let step = 0; step < steps; step++) here.stack.dev.stepRollouts();
      return (await inProgress()).map(({ rollout }) => rollout);
    };
    expect(await rolloutAfter(3)).toEqual([{ desired: 2, updated: 2, available: 2, done: true }]);
    jsonOf(await here.restart(), 200);
    const pending = { desired: 2, updated: 0, available: 2, done: false };
    expect(await rolloutAfter(0)).toEqual([pending]);
    expect(await rolloutAfter(1)).toEqual([pending]);
    expect(await rolloutAfter(1)).toEqual([{ ...pending, updated: 1 }]);
    expect(await rolloutAfter(1)).toEqual([{ ...pending, updated: 2, done: true }]);
  });

  it('changes nothing, and needs no other request to the cluster', async () => {
    await here.populate();
    const before = await here.workloads.state();
    const requestsOf = async (query: string) => {
      const since = here.stack.dev.requests.last;
      jsonOf(await here.stack.developerA.get(here.pathTo('consumers') + query), 200);
      // The service renews its Lease meanwhile, elsewhere.
      const requests = here.stack.dev.requests
        .list(since)
        .filter((call) => call.namespace === here.namespace);
      return requests.map(({ verb, resource, name }) => [verb, resource, name]);
    };
    if (ON_DEV_CLUSTER) expect(await requestsOf('?progress=true')).toEqual(await requestsOf(''));
    await inProgress();
    expect(await here.workloads.state()).toEqual(before);
  });

  it('false is the same as without it', async () => {
    await here.populate();
    const answer = await here.stack.developerA.get(`${here.pathTo('consumers')}?progress=false`);
    expect((answer.json as { consumers: unknown }).consumers).toEqual(await here.consumers());
    expect(answer.text).not.toContain('rollout');
  });

  it.each([
    ['?progress=', /^progress must be true or false$/],
    ['?progress=True', /^progress must be true or false$/],
    ['?progress=1', /^progress must be true or false$/],
    ['?progress=true&progress=true', /^progress must be given once$/],
    ['?progress=true&progress=false', /^progress must be given once$/],
  ])('answers 400 to "%s", after access and before any list', async (query, rule) => {
    const path = here.pathTo('consumers') + query;
    errorOf(await here.stack.anonymous.get(path), 401);
    errorOf(await here.stack.developerA.get(here.pathTo('consumers', 'absent') + query), 404);
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    errorOf(await here.stack.developerA.get(path), 403);
    await here.stack.kube.removePolicy(here.namespace);
    const since = ON_DEV_CLUSTER ? here.stack.dev.requests.last : 0;
    expect(errorOf(await here.stack.developerA.get(path), 400)).toMatch(rule);
    if (!ON_DEV_CLUSTER) return;
    const listed = here.stack.dev.requests.list(since).map(({ resource }) => resource);
    expect(listed.filter((resource) => /deployments|sets|jobs/.test(resource))).toEqual([]);
  });
});
