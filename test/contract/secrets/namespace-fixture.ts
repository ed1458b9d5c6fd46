import { afterAll, beforeAll } from 'vitest';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

/** One namespace of a service for all tests of a file, as an administrator sees it; to be used within tests only. */
export interface NamespaceFixture {
  readonly stack: Stack;
  readonly namespace: string;
  readonly secrets: SecretsClient;
  readonly freshName: () => string;
  /** The Secret as the cluster has it; one that is not there fails the test. */
  readonly native: (name: string) => Promise<ClusterObject>;
}

export function openNamespaceFixture(): NamespaceFixture {
  let stack: Stack;
  let namespace: string;
  let secrets: SecretsClient;
  let next = 0;

  beforeAll(async () => {
    stack = await startStack();
    namespace = await stack.namespace();
    secrets = secretsOf(stack.admin, namespace);
  });
  afterAll(() => stack.close());

  return {
    get stack() {
      return stack;
    },
    get namespace() {
      return namespace;
    },
    get secrets() {
      return secrets;
    },
    freshName: () => `s${++next}`,
    native: async (name) => {
      const found = await stack.kube.getSecret(namespace, name);
      if (found === undefined) throw new Error(`there should be a Secret ${name}`);
      return found;
    },
  };
}
