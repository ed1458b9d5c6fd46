import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { ApiError, createLimit } from '../../api/http-client.ts';
import { changedMs } from '../../api/list-reader.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import type { SecretHistory } from './events.ts';

/** Secrets whose versions are loaded together. */
const PAGE_SIZE = 10;
/** Lists of versions that are requested at once. */
const AT_ONCE = 3;
/** What was read is good for a way to a Secret and back. */
const FRESH_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;

/** How far back it goes, in days. */
export const PERIODS = { week: 7, month: 30, all: Infinity } as const;
export type Period = keyof typeof PERIODS;

export const beginOf = (period: Period, now: number): number => now - PERIODS[period] * DAY_MS;

/** The Secrets of a namespace that changed in a period, the last one first, with their versions. */
export function useActivity(namespace: string, period: Period) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: queryKeys.activity(namespace, period),
    queryFn: async ({ pageParam, signal }) => {
      const wanted = { sort: 'changed', token: pageParam, limit: PAGE_SIZE } as const;
      const page = await api.page(namespace, wanted, signal);
      const since = beginOf(period, Date.now());
      const changed = page.secrets.filter((secret) => changedMs(secret) >= since);
      const limit = createLimit(AT_ONCE);
      const histories = changed.map((secret) => limit(() => historyOf(api, secret, signal)));
      return { ...page, histories: await Promise.all(histories) };
    },
    initialPageParam: '',
    // All that come after one that did not change in the period did not either.
    getNextPageParam: (last) => (last.histories.length < last.secrets.length ? undefined : last.continue),
    placeholderData: (old) => old,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
  const { error, fetchNextPage, refetch } = query;
  // The state that the pages were of is no longer held: all are read again.
  const isGone = error instanceof ApiError && error.status === 410;
  return { ...query, loadMore: () => void (isGone ? refetch() : fetchNextPage()) };
}

/** One that fails leaves the others as they are. */
async function historyOf(
  api: SecretsApi,
  secret: SecretSummary,
  signal: AbortSignal,
): Promise<SecretHistory> {
  signal.throwIfAborted();
  try {
    return { secret, list: await api.versions(secret, signal) };
  } catch (error) {
    if (signal.aborted || (error instanceof ApiError && error.status === 401)) throw error;
    return { secret, error };
  }
}
