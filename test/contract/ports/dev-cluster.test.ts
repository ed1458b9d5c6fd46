import { describe } from 'vitest';
import { openDevCluster } from './dev-cluster-fixture.ts';
import { policyStoreContract } from './policy-store.contract.ts';
import { secretStoreContract } from './secret-store.contract.ts';

describe('the SecretStore before a cluster', () => {
  secretStoreContract(() => openDevCluster());
});

describe('the PolicyStore and NamespaceStore before a cluster', () => {
  policyStoreContract(() => openDevCluster());
});
