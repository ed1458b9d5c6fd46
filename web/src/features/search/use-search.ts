import { MAX_QUERY_WORDS } from '../../../../src/contract/search-text.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNamespaces, useRead } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { secretsIn } from '../../api/list-reader.ts';
import type { SearchAnswer, SecretList, SecretSummary } from '../../api/secrets-api.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { detailPath } from '../../paths.ts';
import { usePlaces } from '../../places/use-places.ts';
import { resultsFor, searchWords } from './search-results.ts';

/** One request for what is typed at a stretch. */
const SETTLED_MS = 80;
/** Typing the same words again within a short time is no new question. */
const FRESH_MS = 10_000;
const MOST_FOUND = 50;
/** As much text as the service reads. */
const MOST_TEXT = 256;

export type Search = ReturnType<typeof useSearch>;

/** Matches of what this tab has loaded, at once, and of all namespaces when the service has answered. */
export function useSearch(text: string, namespace: string | undefined) {
  const words = useMemo(() => searchWords(text.slice(0, MOST_TEXT)).slice(0, MAX_QUERY_WORDS), [text]);
  const { data: answer, isError } = useAnswer(words.join(' '));
  const { data: namespaces = [] } = useNamespaces();
  const { places } = usePlaces();
  const queries = useQueryClient();
  const secrets = useMemo(
    // An answer to fewer words narrows down at once.
    () => loadedSecrets(queries, answer?.results ?? []),
    [queries, answer],
  );
  const groups = useMemo(
    () => resultsFor(words, { namespaces, secrets, places, namespace }),
    [words, namespaces, secrets, places, namespace],
  );
  const isSearching = words.length > 0 && answer === undefined && !isError;
  // The answer is what the service found for exactly these words.
  return { groups, answer, isSearching, hasFailed: isError };
}

/** The words stay in memory, for as long as this is open. */
export function useAnswer(words: string) {
  const settled = useSettled(words, SETTLED_MS);
  const query = useRead(
    queryKeys.matches(settled),
    (api, signal) => api.search(settled, MOST_FOUND, signal),
    {
      enabled: settled !== '' && settled === words,
      staleTime: FRESH_MS,
      gcTime: FRESH_MS,
    },
  );
  return settled === words ? query : { data: undefined, isError: false };
}

/** The newest state of each Secret that any list or search of this tab has, by its address. */
function loadedSecrets(
  queries: QueryClient,
  found: readonly SecretSummary[],
): ReadonlyMap<string, SecretSummary> {
  const loaded = new Map<string, SecretSummary>();
  const summaries = [
    ...queries
      .getQueriesData<SearchAnswer>({ queryKey: queryKeys.searches() })
      .map(([, data]) => data?.results),
    ...queries
      .getQueriesData<SecretList | { readonly pages: readonly SecretList[] }>({ queryKey: queryKeys.lists() })
      .map(([, data]) => secretsIn(data)),
    found,
  ];
  for (const secret of summaries.flatMap((some) => some ?? [])) loaded.set(detailPath(secret), secret);
  return loaded;
}
