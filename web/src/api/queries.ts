import { QueryClient, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from './api-context.ts';
import { levelOn, type AccessRules, type GivenLevel } from '../../../src/contract/access-rules.ts';
import type { SecretRef } from './secrets-api.ts';
import { ApiError } from './http-client.ts';
import { queryKeys } from './query-keys.ts';

const QUICK_MS = 2_000;
/** Rules of a namespace seldom change, and menus are opened one after the other. */
const FRESH_MS = 30_000;

/** Which queries are sent to the service, and how long a response is kept. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Its copying of objects by key would lose keys such as __proto__.
        structuralSharing: false,
        refetchOnWindowFocus: false,
        // Otherwise it waits silently while the browser thinks that it is offline.
        networkMode: 'always',
        // Whoever has waited for a failure is not kept waiting for another.
        retry: (count, error) =>
          error instanceof ApiError &&
          [0, 503].includes(error.status) &&
          error.tookMs < QUICK_MS &&
          count < 1,
      },
    },
  });
}

/**
 * Values leave memory with the screen that requested them. Their keys hold an id of the screen, so that every
 * screen reads it again: with one key for all, a screen that takes the place of another in the same moment would be
 * given what the other had, from before a save.
 */
const VALUES = { gcTime: 0, staleTime: Infinity } as const;

/** Who is signed in, as of the one request of this page. */
export function useMe() {
  const api = useApi();
  const options = { staleTime: Infinity, gcTime: Infinity };
  return useQuery({ ...options, queryKey: queryKeys.me(), queryFn: ({ signal }) => api.me(signal) });
}

/** Whether whoever is signed in is an administrator; undefined while it is not known. */
export function useIsAdmin(): boolean | undefined {
  const api = useApi();
  const options = { staleTime: Infinity, gcTime: Infinity };
  const queryFn = async ({ signal }: { readonly signal: AbortSignal }) =>
    (await api.access({}, signal)).admin;
  return useQuery({ ...options, queryKey: queryKeys.isAdmin(), queryFn }).data;
}

/** What this service offers; it stays the same while it runs. */
export function useConfig() {
  const api = useApi();
  const options = { staleTime: Infinity, gcTime: Infinity };
  return useQuery({ ...options, queryKey: queryKeys.config(), queryFn: ({ signal }) => api.config(signal) });
}

export function useNamespaces() {
  const api = useApi();
  return useQuery({ queryKey: queryKeys.namespaces(), queryFn: ({ signal }) => api.namespaces(signal) });
}

export function useSecretList(namespace: string) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.list(namespace),
    queryFn: ({ signal }) => api.listing(namespace, signal),
  });
}

/** A Secret of a long list, by its name; null: it is not there, or hidden. Not wanted: no request is sent. */
export function useFoundSummary({ namespace, name }: SecretRef, wanted: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.found({ namespace, name }),
    queryFn: async ({ signal }) => {
      // Exact names come first.
      const { results } = await api.search({ q: `${namespace} ${name}`, limit: MOST_OF_ONE_NAME }, signal);
      return results.find((one) => one.name === name && one.namespace === namespace) ?? null;
    },
    enabled: wanted,
    gcTime: 0,
  });
}

const MOST_OF_ONE_NAME = 200;

export function useDeleted(namespace: string) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.deleted(namespace),
    queryFn: ({ signal }) => api.deleted(namespace, signal),
  });
}

/** Without values. */
export function useDescribedSecret(ref: SecretRef) {
  const api = useApi();
  const queryKey = [...queryKeys.secret(ref), useId()];
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => api.describe(ref, signal);
  return useQuery({ ...VALUES, queryKey, queryFn });
}

/** With all values, for a comparison. Not wanted: no request is sent. */
export function useSecret(ref: SecretRef, wanted = true) {
  const api = useApi();
  const queryKey = [...queryKeys.secret(ref), useId()];
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => api.read(ref, signal);
  return useQuery({ ...VALUES, queryKey, queryFn, enabled: wanted });
}

/** Not wanted: no request is sent. */
export function useVersions(ref: SecretRef, wanted = true) {
  const api = useApi();
  const queryKey = [...queryKeys.versions(ref), useId()];
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => api.versions(ref, signal);
  return useQuery({ gcTime: 0, queryKey, queryFn, enabled: wanted });
}

/** Undefined version: no request is sent. */
export function useVersion(ref: SecretRef, version: number | undefined) {
  const api = useApi();
  return useQuery({
    ...VALUES,
    queryKey: [...queryKeys.version(ref, version), useId()],
    queryFn: ({ signal }) => api.version(ref, version ?? 0, signal),
    enabled: version !== undefined,
  });
}

/** What one may do with a Secret, and why. Undefined: no request is sent. */
export function useExplanation(ref: SecretRef | undefined) {
  const api = useApi();
  const secret = ref ?? { namespace: '', name: '' };
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => api.explain(secret, signal);
  return useQuery({ gcTime: 0, queryKey: queryKeys.access(secret), queryFn, enabled: ref !== undefined });
}

/** What one may do in a namespace, and its rules as far as one may know them. */
export function useNamespaceAccess(namespace: string) {
  const api = useApi();
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => api.access({ namespace }, signal);
  return useQuery({ queryKey: queryKeys.accessWithin(namespace), queryFn, staleTime: FRESH_MS });
}

/** The level on each of many Secrets of a namespace, by its rules: the service's decision, made here. Undefined: not known. */
export function useLevelOn(namespace: string): (rules: AccessRules) => GivenLevel | undefined {
  const { data: me } = useMe();
  const { data: within } = useNamespaceAccess(namespace);
  return (rules) => {
    if (me === undefined || within?.level === undefined) return undefined;
    return within.admin ? within.level : levelOn(me, rules, within.level);
  };
}

/** Not wanted: no request is sent. */
export function useConsumers(ref: SecretRef, wanted = true) {
  const api = useApi();
  const queryKey = [...queryKeys.consumers(ref), useId()];
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => api.consumers(ref, signal);
  return useQuery({ gcTime: 0, queryKey, queryFn, enabled: wanted });
}

/** Whether this deployment shows where Secrets are used. */
export function useHasConsumers(): boolean {
  const { data } = useConfig();
  return data?.consumersEnabled === true || data?.restartEnabled === true;
}
