import { afterAll, beforeAll } from 'vitest';
import { clientFor, DEVELOPER_A, ADMIN, type ApiClient } from '../../harness/api-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

/**
 * Each test sends one request in which everything is wrong, and mends it check by check: the answer names the
 * first thing that is still wrong. Nothing is written until nothing is.
 */

export const OVER_1_MIB = 'x'.repeat(1_048_577);

export const OVER_16_MIB = ' '.repeat(16 * 1_048_576 + 1);

export const WITHIN = { timeout: 10_000, interval: 20 };

export const DENYING_POLICY = { allowedGroups: '["someone-else"]' };

export let stack: Stack;

export let namespace: string;

export let outside: string;

export let url: string;

export let opsUrl: string;

export let admin: ApiClient;

export let developer: ApiClient;

export let anonymous: ApiClient;

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
  outside = await stack.namespace();
  ({ url, opsUrl } = await stack.anotherService({
    env: { SERVICE_NAMESPACES: namespace, SERVICE_RESTART_ENABLED: 'true' },
  }));
  [admin, developer, anonymous] = await Promise.all([
    clientFor(url, ADMIN),
    clientFor(url, DEVELOPER_A),
    clientFor(url),
  ]);
});

afterAll(() => stack.close());

export const json = (body: string) => ({ body, headers: { 'content-type': 'application/json' } });

export const text = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } });
