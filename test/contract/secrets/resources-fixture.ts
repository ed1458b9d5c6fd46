import { afterAll, beforeAll } from 'vitest';
import { secretOf } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

export let stack: Stack;

export let namespace: string;

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
});

afterAll(() => stack.close());

export const read = async (name: string) => secretOf(await stack.admin.get(secretsPath(namespace, name)));

export const sorted = (values: readonly string[]) => [...values].sort();
