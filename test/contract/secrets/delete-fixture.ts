import { afterAll, beforeAll, beforeEach } from 'vitest';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { annotation } from '../../harness/annotation.ts';

export const HISTORY = annotation('kind=history');

export let stack: Stack;

export let namespace: string;

export let secrets: SecretsClient;

beforeAll(async () => {
  stack = await startStack();
});

afterAll(() => stack.close());

beforeEach(async () => {
  namespace = await stack.namespace();
  secrets = secretsOf(stack.admin, namespace);
});

export const snapshotNames = async (): Promise<readonly string[]> =>
  (await stack.kube.listSecrets(namespace, HISTORY)).map(({ metadata }) => metadata.name).sort();
