import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { usingEnv, usingVolume } from '../../harness/workloads.ts';
import { openConsumersFixture } from './consumers-fixture.ts';

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
