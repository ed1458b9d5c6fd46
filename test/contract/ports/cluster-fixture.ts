import type { NamespaceStore } from '../../../src/access/namespace-list.ts';
import type { PolicyStore } from '../../../src/access/policy.ts';
import type { SecretRef } from '../../../src/kube/secret.ts';
import type { SecretStore } from '../../../src/secrets/ports.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';

/** The stores under test, and a hand in the cluster behind them that is not theirs. */
export interface ClusterFixture {
  readonly secrets: SecretStore;
  readonly policies: PolicyStore;
  readonly namespaces: NamespaceStore;
  /** Makes a namespace that nothing else uses. */
  addNamespace(): Promise<string>;
  seed(seed: SecretSeed): Promise<void>;
  /** Removes an object's finalizers. */
  release(ref: SecretRef): Promise<void>;
  setPolicy(
    namespace: string,
    data: Readonly<Record<string, string>>,
    binaryData?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Makes the continue tokens given so far expire. */
  expireContinueTokens(): Promise<void>;
  close(): Promise<void>;
}
