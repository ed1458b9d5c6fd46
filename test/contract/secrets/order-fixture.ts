import { beforeAll } from 'vitest';
import { clientFor, DEVELOPER_A, ADMIN, type ApiClient } from '../../harness/api-client.ts';
import { openNamespaceFixture, type NamespaceFixture } from './namespace-fixture.ts';

/**
 * Each test sends one request in which everything is wrong, and mends it check by check: the answer names the
 * first thing that is still wrong. Nothing is written until nothing is.
 */

export const OVER_1_MIB = 'x'.repeat(1_048_577);

export const OVER_16_MIB = ' '.repeat(16 * 1_048_576 + 1);

export const DENYING_POLICY = { allowedGroups: '["someone-else"]' };

export const json = (body: string) => ({ body, headers: { 'content-type': 'application/json' } });

export const text = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } });

/** A service whose scope is one namespace, and its clients; to be used within tests only. */
interface ScopedService {
  readonly url: string;
  readonly opsUrl: string;
  /** A namespace outside of the scope. */
  readonly outside: string;
  readonly admin: ApiClient;
  readonly developer: ApiClient;
  readonly anonymous: ApiClient;
}

export function openOrderFixture(): { readonly here: NamespaceFixture; readonly scoped: ScopedService } {
  const here = openNamespaceFixture();
  const scoped = {} as ScopedService;
  beforeAll(async () => {
    const { url, opsUrl } = await here.stack.anotherService({
      env: { SERVICE_NAMESPACES: here.namespace, SERVICE_RESTART_ENABLED: 'true' },
    });
    Object.assign(scoped, {
      url,
      opsUrl,
      outside: await here.stack.namespace(),
      admin: await clientFor(url, ADMIN),
      developer: await clientFor(url, DEVELOPER_A),
      anonymous: await clientFor(url),
    } satisfies ScopedService);
  });
  return { here, scoped };
}
