import type { SecretRef } from './secrets-api.ts';

/**
 * The key of every query. A query key that holds values ends with an id of the screen, which its caller appends: one key
 * for all screens would give a screen what another had read before a save. Invalidating the key without the id
 * covers every screen.
 */
export const queryKeys = {
  me: () => ['me'] as const,
  isAdmin: () => ['is-admin'] as const,
  config: () => ['config'] as const,
  namespaces: () => ['namespaces'] as const,
  lists: () => ['list'] as const,
  list: (namespace: string) => ['list', namespace] as const,
  /** Of a long list; invalidated with it, as what happened in the namespace is. */
  pages: (namespace: string, q: string, sort: 'name' | 'changed') =>
    ['list', namespace, 'pages', q, sort] as const,
  activity: (namespace: string, period: string) => ['list', namespace, 'activity', period] as const,
  found: ({ namespace, name }: SecretRef) => ['found', namespace, name] as const,
  count: (namespace: string) => ['count', namespace] as const,
  expiring: () => ['expiring'] as const,
  lately: (namespaces: readonly string[]) => ['lately', ...namespaces] as const,
  searches: () => ['search'] as const,
  matches: (words: string) => ['search', words] as const,
  deleted: (namespace: string) => ['deleted', namespace] as const,
  secret: ({ namespace, name }: SecretRef) => ['secret', namespace, name] as const,
  versions: ({ namespace, name }: SecretRef) => ['versions', namespace, name] as const,
  version: ({ namespace, name }: SecretRef, version: number | undefined) =>
    ['version', namespace, name, version] as const,
  access: ({ namespace, name }: SecretRef) => ['access', namespace, name] as const,
  accessWithin: (namespace: string) => ['access-within', namespace] as const,
  consumers: ({ namespace, name }: SecretRef) => ['consumers', namespace, name] as const,
  draftHandover: (namespace: string) => ['draft-handover', namespace] as const,
};
