import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { useHasConsumers } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';

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
  const api = useApi();
  const hasConsumers = useHasConsumers();
  const isShown = summary !== undefined;
  const versions = useQuery({
    // With another version there is one more to count.
    queryKey: [...queryKeys.versions(secret), 'count', summary?.version],
    queryFn: async ({ signal }) => (await api.versions(secret, signal)).versions.length,
    enabled: isShown && !('history' in known),
    staleTime: FRESH_MS,
  });
  const consumers = useQuery({
    queryKey: [...queryKeys.consumers(secret), 'count'],
    queryFn: async ({ signal }) => (await api.consumers(secret, signal)).length,
    enabled: isShown && hasConsumers && !('usedBy' in known),
    staleTime: FRESH_MS,
  });
  return { history: countOf(versions), usedBy: countOf(consumers), ...known };
}

/** What was counted before a failure may no longer be true. */
function countOf(query: {
  readonly data: number | undefined;
  readonly isError: boolean;
}): number | undefined {
  return query.isError ? undefined : query.data;
}
