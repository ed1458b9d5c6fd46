import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';
import type { SecretsApi } from './secrets-api.ts';

/**
 * Requests what the frame and the first screen need while its code is still on its way. What fails is requested again by the screen,
 * which shows why.
 */
export function prefetch(queries: QueryClient, api: SecretsApi, path: string): void {
  const kept = { staleTime: Infinity, gcTime: Infinity };
  const isShownLater = () => undefined;
  void queries
    .query({ ...kept, queryKey: queryKeys.me(), queryFn: ({ signal }) => api.me(signal) })
    .catch(isShownLater);
  const namespace = /^\/namespaces\/([a-z0-9-]+)$/.exec(path)?.[1];
  if (namespace !== undefined) {
    void queries
      .query({
        queryKey: queryKeys.list(namespace),
        queryFn: ({ signal }) => api.listing(namespace, signal),
      })
      .catch(isShownLater);
  }
  // For the frame of every screen.
  void queries
    .query({
      queryKey: queryKeys.namespaces(),
      queryFn: ({ signal }) => api.namespaces(signal),
    })
    .catch(isShownLater);
}
