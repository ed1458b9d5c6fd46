import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { workloadObject } from '../../harness/workloads.ts';

let cluster: DevCluster;
beforeEach(async () => {
  cluster = await startDevCluster();
});
afterEach(() => cluster.close());

interface Status {
  readonly observedGeneration?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
}

async function send(method: string, path: string, body?: object) {
  const headers = {
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  };
  const url = `${cluster.url}/apis/apps/v1/namespaces/default/${path}`;
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await response.json()) as { metadata: { resourceVersion: string }; status: Status };
}

it('a rollout is observed, then replaces a pod with each step, and then nothing changes', async () => {
  await send('POST', 'statefulsets', workloadObject('StatefulSet', 'db', {}, { replicas: 2 }));
  const statusAfter = async (steps: number) => {
    for (let step = 0; step < steps; step++) cluster.stepRollouts();
    return (await send('GET', 'statefulsets/db')).status;
  };
  expect(await statusAfter(0)).toEqual({});
  expect(await statusAfter(3)).toMatchObject({ observedGeneration: 1, updatedReplicas: 2 });
  await send('PATCH', 'statefulsets/db', {
    spec: { template: { metadata: { annotations: { a: 'b' } } } },
    status: { updatedReplicas: 9 },
  });
  expect(await statusAfter(0)).toMatchObject({ observedGeneration: 1, updatedReplicas: 2 });
  const revisions = { currentRevision: 'db-1', updateRevision: 'db-2' };
  expect(await statusAfter(1)).toMatchObject({ observedGeneration: 2, updatedReplicas: 0, ...revisions });
  expect(await statusAfter(1)).toMatchObject({ updatedReplicas: 1, ...revisions });
  expect(await statusAfter(1)).toMatchObject({ updatedReplicas: 2, currentRevision: 'db-2' });
  const { metadata } = await send('GET', 'statefulsets/db');
  await statusAfter(2);
  expect((await send('GET', 'statefulsets/db')).metadata).toEqual(metadata);
});

it.each(['Deployment', 'DaemonSet'] as const)('a %s rolls out, too', async (kind) => {
  const plural = `${kind.toLowerCase()}s`;
  await send('POST', plural, workloadObject(kind, 'web'));
  for (let step = 0; step < 4; step++) cluster.stepRollouts();
  const { status } = await send('GET', `${plural}/web`);
  expect(status).toMatchObject(
    kind === 'Deployment'
      ? { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }
      : { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 },
  );
});
