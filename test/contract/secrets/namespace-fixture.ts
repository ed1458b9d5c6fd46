import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

/** A namespace of a service, as an administrator sees it; to be used within tests only. */
export interface NamespaceFixture {
  readonly stack: Stack;
  readonly namespace: string;
  readonly secrets: SecretsClient;
  readonly freshName: () => string;
  /** The Secret as the cluster has it; one that is not there fails the test. */
  readonly native: (name: string) => Promise<ClusterObject>;
}

/** A service for the tests of a file; they share one namespace, unless each test gets its own. */
export function openNamespaceFixture(
  scope: 'file' | 'test' = 'file',
  open: () => Promise<Stack> = openStack,
): NamespaceFixture {
  let stack: Stack;
  let namespace: string;
  let secrets: SecretsClient;
  let next = 0;

  const addNamespace = async (): Promise<void> => {
    namespace = await stack.namespace();
    secrets = secretsOf(stack.admin, namespace);
  };
  beforeAll(async () => {
    stack = await open();
    if (scope === 'file') await addNamespace();
  });
  if (scope === 'test') beforeEach(addNamespace);
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
