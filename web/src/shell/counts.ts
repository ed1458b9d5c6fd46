import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useExpiring, useRead } from '../api/queries.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { DeletedSecret, SecretList } from '../api/secrets-api.ts';
import { formatNumber } from '../values/format.ts';

/** Nothing that is counted beside the screen is urgent. */
const FRESH_MS = 5 * 60_000;

/** How many Secrets one may see in a namespace: of its list if that was loaded, otherwise from the service's memory. */
export function useCount(namespace: string, isWanted: boolean): string | undefined {
  const loaded = useLoaded((queries) => {
    const list = queries.getQueryData<SecretList>(queryKeys.list(namespace));
    return list?.total ?? list?.secrets.length;
  });
  const options = { enabled: isWanted && loaded === undefined, staleTime: FRESH_MS, retry: false };
  const { data } = useRead(
    queryKeys.count(namespace),
    (api, signal) => api.count(namespace, signal),
    options,
  );
  return formatted(loaded ?? data);
}

/** How many were deleted, when that was loaded last in this tab: their list costs more than a number is worth. */
export function useDeletedCount(namespace: string): string | undefined {
  const key = queryKeys.deleted(namespace);
  return formatted(useLoaded((queries) => queries.getQueryData<readonly DeletedSecret[]>(key)?.length));
}

/** How many Secrets have expired or are due, or will within 30 days; "+" where there may be more. */
export function useExpiringCount(isWanted: boolean): string | undefined {
  const { data } = useExpiring({ enabled: isWanted, staleTime: FRESH_MS, retry: false });
  if (data === undefined || (data.items.length === 0 && !data.more)) return undefined;
  return `${formatNumber(data.items.length)}${data.more ? '+' : ''}`;
}

/** A number of what is loaded; nothing is requested or kept for it. */
function useLoaded(read: (queries: QueryClient) => number | undefined): number | undefined {
  const queries = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queries.getQueryCache().subscribe(listener),
    [queries],
  );
  return useSyncExternalStore(subscribe, () => read(queries));
}

const formatted = (count: number | undefined) => (count === undefined ? undefined : formatNumber(count));
