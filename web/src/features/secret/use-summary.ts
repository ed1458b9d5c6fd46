import { useFoundSummary, useSecretList, useVersions, useHasConsumers, useRead } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

/**
 * The facts of a Secret without its values, from the list of its namespace; of a long one, from a search.
 * @param wantsReason why there are none: a list has only what one may see, and the Secret's own routes say why it is missing
 */
export function useSummary(ref: SecretRef, wantsReason = true) {
  const list = useSecretList(ref.namespace);
  const listed: SecretSummary | undefined = list.data?.secrets.find((one) => one.name === ref.name);
  const isBeyond = list.data?.continue !== undefined && listed === undefined;
  const found = useFoundSummary(ref, isBeyond);
  const data = listed ?? found.data ?? undefined;
  const isMissing = list.data !== undefined && data === undefined && (!isBeyond || found.data === null);
  const reason = useVersions(ref, isMissing && wantsReason);
  const queries = [list, ...(isBeyond ? [found] : []), ...(isMissing && wantsReason ? [reason] : [])];
  return {
    data,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    isFetching: queries.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
}

export type TabCounts = Readonly<Partial<Record<'history' | 'usedBy', number | undefined>>>;

const FRESH_MS = 30_000;

/**
 * How much is behind the other tabs. Requested once the page itself is there, without any value; undefined while it is
 * not known.
 * @param known what the page has anyway
 */
export function useTabCounts(
  secret: SecretRef,
  summary: SecretSummary | undefined,
  known: TabCounts,
): TabCounts {
  const hasConsumers = useHasConsumers();
  const isShown = summary !== undefined;
  const versions = useRead(
    // With another version there is one more to count.
    [...queryKeys.versions(secret), 'count', summary?.version],
    async (api, signal) => (await api.versions(secret, signal)).versions.length,
    { enabled: isShown && !('history' in known), staleTime: FRESH_MS },
  );
  const consumers = useRead(
    [...queryKeys.consumers(secret), 'count'],
    async (api, signal) => (await api.consumers(secret, signal)).length,
    { enabled: isShown && hasConsumers && !('usedBy' in known), staleTime: FRESH_MS },
  );
  // What was counted before a failure may no longer be true.
  const [history, usedBy] = [versions, consumers].map(({ data, isError }) => (isError ? undefined : data));
  return { history, usedBy, ...known };
}
