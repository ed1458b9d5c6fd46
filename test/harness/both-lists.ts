import { expect } from 'vitest';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { secretsPath } from './secret-paths.ts';

/**
 * Lists live, and then as everyone does, and insists on one answer, byte for byte. What the service has read live
 * no later list of its may contradict, so that a change made outside the service is in both, without waiting.
 */
export async function listBothWays(client: ApiClient, namespace: string): Promise<ApiAnswer> {
  const path = secretsPath(namespace);
  const live = await client.get(path, { headers: { 'cache-control': 'no-cache' } });
  const usual = await client.get(path);
  expect(usual.status, usual.text).toBe(live.status);
  expect(usual.text).toBe(live.text);
  if (live.status === 200) expect(live.headers.get('x-list-source')).toBe('live');
  return usual;
}
