import { QueryClient, useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import type { SecretRef } from './secrets-api.ts';
import { ApiError } from './wire.ts';

/** What is asked of the service, and how long an answer is kept. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Its copying of objects by key would lose keys such as __proto__.
        structuralSharing: false,
        refetchOnWindowFocus: false,
        // Otherwise it waits silently while the browser thinks that it is offline.
        networkMode: 'always',
        retry: (count, error) => error instanceof ApiError && [0, 503].includes(error.status) && count < 1,
      },
    },
  });
}

/** Values leave memory with the screen that asked for them, and are asked for anew by the next one. */
const VALUES = { gcTime: 0, staleTime: Infinity } as const;

export function useNamespaces() {
  const api = useApi();
  return useQuery({ queryKey: ['namespaces'], queryFn: ({ signal }) => api.namespaces(signal) });
}

export function useSecretList(namespace: string) {
  const api = useApi();
  return useQuery({ queryKey: ['list', namespace], queryFn: ({ signal }) => api.list(namespace, signal) });
}

export function useSecret(ref: SecretRef) {
  const api = useApi();
  const queryKey = ['secret', ref.namespace, ref.name];
  return useQuery({ ...VALUES, queryKey, queryFn: ({ signal }) => api.read(ref, signal) });
}

export function useVersions(ref: SecretRef) {
  const api = useApi();
  const queryKey = ['versions', ref.namespace, ref.name];
  return useQuery({ gcTime: 0, queryKey, queryFn: ({ signal }) => api.versions(ref, signal) });
}

/** Undefined version: nothing is asked. */
export function useVersion(ref: SecretRef, version: number | undefined) {
  const api = useApi();
  return useQuery({
    ...VALUES,
    queryKey: ['version', ref.namespace, ref.name, version],
    queryFn: ({ signal }) => api.version(ref, version ?? 0, signal),
    enabled: version !== undefined,
  });
}
