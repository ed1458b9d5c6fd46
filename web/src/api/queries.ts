import { QueryClient, useQuery, type QueryKey } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from './api-context.ts';
import { levelOn, type AccessRules, type GivenLevel } from '../../../src/contract/access-rules.ts';
import type { Consumer, SecretRef, SecretsApi } from './secrets-api.ts';
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
          error.request.tookMs < QUICK_MS &&
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

export const READ_ONCE = { staleTime: Infinity, gcTime: Infinity } as const;

interface ReadOptions {
  readonly gcTime?: number;
  readonly staleTime?: number;
  readonly enabled?: boolean;
  readonly retry?: boolean;
}

/** One read of the service, under its key. Not enabled: no request is sent. */
export function useRead<Data>(
  queryKey: QueryKey,
  read: (api: SecretsApi, signal: AbortSignal) => Promise<Data>,
  options: ReadOptions = {},
) {
  const api = useApi();
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => read(api, signal) });
}

/** The same for this screen alone, which reads it again. */
function useReadHere<Data>(...[queryKey, read, options]: Parameters<typeof useRead<Data>>) {
  return useRead([...queryKey, useId()], read, options);
}

/** Who is signed in, as of the one request of this page. */
export const useMe = () => useRead(queryKeys.me(), (api, signal) => api.me(signal), READ_ONCE);

/** Whether whoever is signed in is an administrator; undefined while it is not known. */
export function useIsAdmin(): boolean | undefined {
  const read = async (api: SecretsApi, signal: AbortSignal) => (await api.access({}, signal)).admin;
  return useRead(queryKeys.isAdmin(), read, READ_ONCE).data;
}

/** What this service offers; it stays the same while it runs. */
export const useConfig = () => useRead(queryKeys.config(), (api, signal) => api.config(signal), READ_ONCE);

export const useNamespaces = () => useRead(queryKeys.namespaces(), (api, signal) => api.namespaces(signal));

export function useExpiring(options: ReadOptions = {}) {
  return useRead(queryKeys.expiring(), (api, signal) => api.expiring(signal), options);
}

/** More namespaces would be as many requests. */
export const MOST_NAMESPACES = 8;

/** The last changes in the first of these namespaces. */
export function useLately(namespaces: readonly string[]) {
  const first = namespaces.slice(0, MOST_NAMESPACES);
  return useRead(queryKeys.lately(first), (api, signal) => api.lately(first, signal));
}

export const useSecretList = (namespace: string) =>
  useRead(queryKeys.list(namespace), (api, signal) => api.listing(namespace, signal));

const MOST_OF_ONE_NAME = 200;

/** A Secret of a long list, by its name; null: it is not there, or hidden. Not wanted: no request is sent. */
export function useFoundSummary({ namespace, name }: SecretRef, wanted: boolean) {
  const read = async (api: SecretsApi, signal: AbortSignal) => {
    // Exact names come first. Words are found within names, and a search has at most 256 characters.
    const { results } = await api.search(`${namespace} ${name}`.slice(0, 256), MOST_OF_ONE_NAME, signal);
    return results.find((one) => one.name === name && one.namespace === namespace) ?? null;
  };
  return useRead(queryKeys.found({ namespace, name }), read, { enabled: wanted, gcTime: 0 });
}

export const useDeleted = (namespace: string) =>
  useRead(queryKeys.deleted(namespace), (api, signal) => api.deleted(namespace, signal));

/** Without values. */
export function useDescribedSecret(ref: SecretRef) {
  return useReadHere(queryKeys.secret(ref), (api, signal) => api.describe(ref, signal), VALUES);
}

/** With all values, for a comparison. Not wanted: no request is sent. */
export function useSecret(ref: SecretRef, wanted = true) {
  const options = { ...VALUES, enabled: wanted };
  return useReadHere(queryKeys.secret(ref), (api, signal) => api.read(ref, signal), options);
}

/** Not wanted: no request is sent. */
export function useVersions(ref: SecretRef, wanted = true) {
  const options = { gcTime: 0, enabled: wanted };
  return useReadHere(queryKeys.versions(ref), (api, signal) => api.versions(ref, signal), options);
}

/** Undefined version: no request is sent. */
export function useVersion(ref: SecretRef, version: number | undefined) {
  const read = (api: SecretsApi, signal: AbortSignal) => api.version(ref, version ?? 0, signal);
  const options = { ...VALUES, enabled: version !== undefined };
  return useReadHere(queryKeys.version(ref, version), read, options);
}

/** What one may do with a Secret, and why. Undefined: no request is sent. */
export function useExplanation(ref: SecretRef | undefined) {
  const secret = ref ?? { namespace: '', name: '' };
  const options = { gcTime: 0, enabled: ref !== undefined };
  return useRead(queryKeys.access(secret), (api, signal) => api.explain(secret, signal), options);
}

/** What one may do in a namespace, and its rules as far as one may know them. */
export function useNamespaceAccess(namespace: string) {
  const read = (api: SecretsApi, signal: AbortSignal) => api.access({ namespace }, signal);
  return useRead(queryKeys.accessWithin(namespace), read, { staleTime: FRESH_MS });
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
  const options = { gcTime: 0, enabled: wanted };
  return useReadHere(queryKeys.consumers(ref), (api, signal) => api.consumers(ref, signal), options);
}

const PROGRESS_MS = 2_000;

/**
 * The workloads that use a Secret, with the progress of their rollouts: read again and again while the page is visible.
 * @param isOver whether that ends, by what was read last
 */
export function useRollouts(ref: SecretRef, isOver: (consumers: readonly Consumer[] | undefined) => boolean) {
  const api = useApi();
  return useQuery({
    queryKey: [...queryKeys.consumers(ref), useId()],
    queryFn: ({ signal }) => api.consumers(ref, signal, { progress: 'true' }),
    gcTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : PROGRESS_MS),
  });
}

/** Whether this deployment shows where Secrets are used. */
export const useHasConsumers = (): boolean => useConfig().data?.consumersEnabled === true;
