import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { listOf } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

export let stack: Stack;

export let namespace: string;

beforeAll(async () => {
  stack = await startStack();
});

afterAll(() => stack.close());

beforeEach(async () => {
  namespace = await stack.namespace();
});

export const seed = (name: string, annotations: object = {}, labels: object = {}) =>
  stack.kube.createSecret(
    namespace,
    nativeSecret(name, { key: 'planted-value' }, { metadata: { annotations, labels } }),
  );

export const list = async (client: ApiClient) => listOf(await listBothWays(client, namespace));

export const names = async (client: ApiClient) => (await list(client)).secrets.map(({ name }) => name);
