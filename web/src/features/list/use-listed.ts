import { useDeferredValue, useEffect, useMemo, useState, useRef } from 'react';
import { useMe } from '../../api/queries.ts';
import type { SecretList, SecretSummary } from '../../api/secrets-api.ts';
import { useNow } from '../../ui/use-now.ts';
import { counted, formatNumber } from '../../values/format.ts';
import { filterCount, pagedView, viewOf, type View } from './list-view.ts';
import { MAX_QUERY_WORDS } from '../../../../src/contract/search-text.ts';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSettled } from '../../ui/use-settled.ts';

/** Rows before the end of what is loaded that have the next page loaded. */
const NEAR_END = 100;
/** How many of a long list are loaded for a filter that the service does not have. */
const MOST_FILTERED = 10_000;

export type Listed = ReturnType<typeof useListed>;

/** What of a list is there, whether it came at once or comes in pages. */
export function useListed(list: SecretList, wanted: View) {
  const [to, setTo] = useState(0);
  const pages = usePages(list, wanted);
  const view = pages === undefined ? wanted : pagedView(wanted);
  const loaded = pages?.secrets ?? list.secrets;
  const shown = useShown(loaded, view, pages !== undefined);
  const isNarrowed = filterCount(view) > 0;
  const isBounded = pages?.hasMore === true && isNarrowed && loaded.length >= MOST_FILTERED;
  const wantsMore = to > shown.length - NEAR_END && !isBounded;
  useEffect(() => {
    if (pages?.hasMore === true && wantsMore && !pages.isLoading && pages.error === null) pages.loadMore();
  }, [pages, wantsMore]);
  const isWhole = pages === undefined || isNarrowed;
  return {
    /** Undefined for a list that is complete. */
    pages,
    view,
    loaded,
    shown,
    /** Of the table, with those that are not loaded yet. */
    rowCount: isWhole ? shown.length : Math.max(pages.total, shown.length),
    count: countOf(list, pages, isNarrowed, shown.length),
    /** Whether a filter looks at what is loaded alone, and loads more only on request. */
    isBounded,
    /** Called with the row at the end of the window. */
    onWindow: setTo,
  };
}

function countOf(list: SecretList, pages: Pages, isNarrowed: boolean, shown: number): string {
  if (pages === undefined) return `${formatNumber(shown)} of ${counted(list.secrets.length, 'Secret')}`;
  const all = Math.max(list.total ?? 0, pages.total);
  if (!isNarrowed) return `${formatNumber(pages.total)} of ${counted(all, 'Secret')}`;
  if (!pages.hasMore) return `${formatNumber(shown)} of ${counted(all, 'Secret')}`;
  return `${formatNumber(shown)} among the first ${formatNumber(pages.secrets.length)} of ${formatNumber(pages.total)} Secrets`;
}

/** Typing stays quick however long the list is: the rows follow a moment later. */
function useShown(secrets: readonly SecretSummary[], view: View, isPaged: boolean): readonly SecretSummary[] {
  const settled = useDeferredValue(view);
  const { data: me } = useMe();
  const now = useNow();
  // Only a filter by expiry looks at the time.
  const asOf = settled.expires === 'all' ? 0 : now;
  // The pages are of the text and in the order that the service has found them in.
  return useMemo(
    () => viewOf(secrets, isPaged ? { ...settled, text: '' } : settled, { me, now: asOf }),
    [secrets, settled, isPaged, me, asOf],
  );
}

/** One request for what is typed at a stretch. */
const SETTLED_MS = 150;
/** What the service reads at most. */
const MOST_TEXT = 256;
/** What was read is good for a way to a Secret and back. */
const FRESH_MS = 30_000;
/** More pages are read again only when something was written. */
const REFRESHED_PAGES = 10;
/** How often a state may be gone in a row before that is said. */
const MOST_RESTARTS = 3;

type Pages = ReturnType<typeof usePages>;

/** As much of a text as the service reads. */
function queryOf(text: string): string {
  return text.slice(0, MOST_TEXT).trim().split(/\s+/).slice(0, MAX_QUERY_WORDS).join(' ');
}

/** The pages of a long list that are loaded. Undefined for a list that is complete: then nothing is requested. */
function usePages(list: SecretList, view: View) {
  const { namespace } = list;
  const isLong = list.continue !== undefined;
  const api = useApi();
  const wanted = queryOf(view.text);
  const q = useSettled(wanted, SETTLED_MS);
  const sort = view.sort === 'changed' ? 'changed' : 'name';
  const query = useInfiniteQuery({
    queryKey: queryKeys.pages(namespace, q, sort),
    queryFn: ({ pageParam, signal }) => api.page(namespace, { q, sort, token: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (last: SecretList) => last.continue,
    enabled: isLong,
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > REFRESHED_PAGES ? Infinity : FRESH_MS),
    placeholderData: (old: InfiniteData<SecretList, string> | undefined) => old,
    ...(q === '' && sort === 'name' ? firstPageOf(list) : {}),
  });
  const { data, error, isFetching, isRefetching, isPlaceholderData, hasNextPage, fetchNextPage, refetch } =
    query;
  const secrets = useMemo(() => data?.pages.flatMap((page) => page.secrets) ?? [], [data]);
  const restarts = useRef(0);
  const isGone = error instanceof ApiError && error.status === 410 && restarts.current < MOST_RESTARTS;
  useEffect(() => {
    if (error === null) restarts.current = 0;
    if (!isGone) return;
    restarts.current += 1;
    // The state that the pages were of is gone: those that are loaded are read from the one of now.
    void refetch();
  }, [error, isGone, refetch]);
  if (!isLong) return undefined;
  return {
    /** What they were filtered by, for comparing. */
    query: `${sort} ${q}`,
    secrets,
    /** Of all pages. */
    total: data?.pages[0]?.total ?? 0,
    hasMore: hasNextPage && !isPlaceholderData,
    /** Not while what is here is read again. */
    isLoading: (isFetching && (!isRefetching || isPlaceholderData)) || q !== wanted,
    error: isGone ? null : error,
    loadMore: () => {
      if (!isFetching) void fetchNextPage();
    },
  };
}

/** The list itself is the first page, as long as nothing is filtered. */
function firstPageOf(list: SecretList) {
  return {
    initialData: { pages: [list], pageParams: [''] },
    initialDataUpdatedAt: list.asOf,
  };
}
