import { MAX_QUERY_WORDS } from '../../../../src/contract/search-text.ts';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretList, SecretSummary } from '../../api/secrets-api.ts';
import { useSettled } from '../../ui/use-later.ts';
import type { View } from './list-view.ts';

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

/** The pages of a long list that are loaded. */
export interface Pages {
  /** What they were filtered by, for comparing. */
  readonly query: string;
  readonly secrets: readonly SecretSummary[];
  /** Of all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly loadMore: () => void;
}

/** As much of a text as the service reads. */
function queryOf(text: string): string {
  return text.slice(0, MOST_TEXT).trim().split(/\s+/).slice(0, MAX_QUERY_WORDS).join(' ');
}

/** Undefined for a list that is complete: then nothing is requested. */
export function usePages(list: SecretList, view: View): Pages | undefined {
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
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = query;
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
    query: `${sort} ${q}`,
    secrets,
    total: data?.pages[0]?.total ?? 0,
    hasMore: hasNextPage && !isPlaceholderData,
    isLoading: isFetching || q !== wanted,
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
