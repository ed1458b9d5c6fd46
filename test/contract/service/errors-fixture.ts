import { afterAll, beforeAll } from 'vitest';
import { secretOf } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

export let stack: Stack;

export let namespace: string;

export let resourceVersion: string;

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
  const created = await stack.admin.post(secretsPath(namespace), { name: 'live', data: { a: '1' } });
  ({ resourceVersion } = secretOf(created, 201));
});

afterAll(() => stack.close());
