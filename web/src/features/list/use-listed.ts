import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useMe } from '../../api/queries.ts';
import type { SecretList, SecretSummary } from '../../api/secrets-api.ts';
import { useNow } from '../../ui/use-now.ts';
import { counted, formatNumber } from '../../values/format.ts';
import { filterCount, pagedView, viewOf, type View } from './list-view.ts';
import { usePages, type Pages } from './use-pages.ts';

/** Rows before the end of what is loaded that have the next page loaded. */
const NEAR_END = 100;
/** How many of a long list are loaded for a filter that the service does not have. */
const MOST_FILTERED = 10_000;

/** What of a list is there, whether it came at once or comes in pages. */
export interface Listed {
  /** Undefined for a list that is complete. */
  readonly pages: Pages | undefined;
  readonly view: View;
  readonly loaded: readonly SecretSummary[];
  readonly shown: readonly SecretSummary[];
  /** Of the table, with those that are not loaded yet. */
  readonly rowCount: number;
  readonly count: string;
  /** Whether a filter looks at what is loaded alone, and loads more only on request. */
  readonly isBounded: boolean;
  /** Called with the row at the end of the window. */
  readonly onWindow: (to: number) => void;
}

export function useListed(list: SecretList, wanted: View): Listed {
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
    pages,
    view,
    loaded,
    shown,
    rowCount: isWhole ? shown.length : Math.max(pages.total, shown.length),
    count: countOf(list, pages, isNarrowed, shown.length),
    isBounded,
    onWindow: setTo,
  };
}

function countOf(list: SecretList, pages: Pages | undefined, isNarrowed: boolean, shown: number): string {
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
