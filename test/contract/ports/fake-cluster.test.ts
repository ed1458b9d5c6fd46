import { describe } from 'vitest';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import type { ClusterFixture } from './cluster-fixture.ts';
import { policyStoreContract } from './policy-store.contract.ts';
import { secretStoreContract } from './secret-store.contract.ts';

function openFake(): Promise<ClusterFixture> {
  const cluster = createFakeCluster();
  let namespaces = 0;
  return Promise.resolve({
    secrets: cluster.secrets,
    policies: cluster.policies,
    namespaces: cluster.namespaces,
    addNamespace: () => {
      const name = `namespace-${++namespaces}`;
      cluster.addNamespace(name);
      return Promise.resolve(name);
    },
    seed: (seed) => {
      cluster.seed(seed);
      return Promise.resolve();
    },
    release: (ref) => {
      cluster.release(ref);
      return Promise.resolve();
    },
    setPolicy: (namespace, data, binaryData = {}) => {
      cluster.setPolicy(namespace, data, Object.keys(binaryData));
      return Promise.resolve();
    },
    expireContinueTokens: () => {
      cluster.expireContinueTokens();
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
}

describe('the fake SecretStore', () => {
  secretStoreContract(openFake);
});

describe('the fake PolicyStore and NamespaceStore', () => {
  policyStoreContract(openFake);
});
