import { describe } from 'vitest';
import { parseCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { createFakeWorkloadStore } from '../../fakes/fake-workload-store.ts';
import { createWorkloadsClient, type WorkloadsClient } from '../../harness/workloads.ts';
import { openDevCluster } from './dev-cluster-fixture.ts';
import { workloadStoreContract } from './workload-store.contract.ts';

const PULLED = { imagePullSecrets: [{ name: 'pulled' }] };

describe('the WorkloadStore before a cluster', () => {
  workloadStoreContract(async () => {
    const fixture = await openDevCluster();
    const clients = new Map<string, WorkloadsClient>();
    const at = (namespace: string): WorkloadsClient => {
      const client =
        clients.get(namespace) ??
        createWorkloadsClient(parseCredentials(fixture.dev.kubeconfig()), namespace);
      clients.set(namespace, client);
      return client;
    };
    return {
      store: fixture.cluster.workloads,
      addNamespace: () => fixture.addNamespace(),
      create: async ({ kind, namespace, name }, paused) => {
        await at(namespace).create(kind, name, PULLED, paused === undefined ? {} : { paused });
      },
      touch: async ({ kind, namespace, name }) => {
        await at(namespace).patch(kind, name, { metadata: { labels: { touched: 'yes' } } });
      },
      remove: ({ kind, namespace, name }) => at(namespace).remove(kind, name),
      restartedAt: async ({ kind, namespace, name }) => {
        const text = await at(namespace).restartedAt(kind, name);
        return text === undefined ? undefined : new Date(text);
      },
      close: async () => {
        await Promise.all([...clients.values()].map((client) => client.close()));
        await fixture.close();
      },
    };
  });
});

describe('the fake WorkloadStore', () => {
  workloadStoreContract(() => {
    const store = createFakeWorkloadStore();
    let namespaces = 0;
    const put = (ref: Parameters<typeof store.remove>[0], paused = false): Promise<void> => {
      store.put({ ...ref, paused, podSpec: PULLED });
      return Promise.resolve();
    };
    return Promise.resolve({
      store,
      addNamespace: () => Promise.resolve(`namespace-${++namespaces}`),
      create: put,
      touch: put,
      remove: (ref) => {
        store.remove(ref);
        return Promise.resolve();
      },
      restartedAt: (ref) => Promise.resolve(store.restartedAt(ref)),
      close: () => Promise.resolve(),
    });
  });
});
