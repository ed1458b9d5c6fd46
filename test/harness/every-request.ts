import type { ApiAnswer, ApiClient } from './api-client.ts';
import type { SecretsClient } from './secrets-client.ts';

export interface Workplace {
  readonly admin: ApiClient;
  readonly developer: ApiClient;
  /** The developer's, in a namespace with a Secret `a` that has two versions. */
  readonly secrets: SecretsClient;
  /** The revision of `a` as the cluster has it. */
  readonly revision: () => Promise<string>;
}

/** A request of each kind, by what it does. */
export function everyRequest({
  admin,
  developer,
  secrets,
  revision,
}: Workplace): Readonly<Record<string, () => Promise<ApiAnswer>>> {
  return {
    list: () => developer.get(secrets.path()),
    read: () => developer.get(secrets.path('a')),
    create: () => developer.post(secrets.path(), { name: 'b' }),
    update: async () =>
      developer.put(secrets.path('a'), { resourceVersion: await revision(), data: { key: 'new' } }),
    restore: async () =>
      developer.post(secrets.path('a', '/restore'), { resourceVersion: await revision(), version: 2 }),
    delete: async () => developer.delete(secrets.deletePath('a', await revision())),
    versions: () => developer.get(secrets.path('a', '/versions')),
    version: () => developer.get(secrets.path('a', '/versions/2')),
    namespaces: () => admin.get('/api/namespaces'),
  };
}
