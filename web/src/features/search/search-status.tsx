import { SEARCH_WORDS } from '../../words/search.ts';
import type { Search } from './use-search.ts';

export interface SearchStatusProps {
  readonly text: string;
  readonly search: Search;
  /** Of what is shown. */
  readonly count: number;
  readonly isAboutActions: boolean;
  /** What has just happened. */
  readonly note: string;
}

/** How far the search is, and what it does not cover. */
export function SearchStatus({ text, search, count, isAboutActions, note }: SearchStatusProps) {
  const { answer, isSearching, hasFailed } = search;
  const isSearch = text.trim() !== '' && !isAboutActions;
  return (
    <div className="search-status hint">
      <p role="status">{note === '' && isSearch ? found(isSearching, count) : note}</p>
      {isSearch && count === 0 && !isSearching && <p>{SEARCH_WORDS.noMatchHint}</p>}
      {isSearch && hasFailed && <p>{SEARCH_WORDS.loadedOnly}</p>}
      {isSearch && answer?.more === true && <p>{SEARCH_WORDS.more}</p>}
      {isSearch && answer !== undefined && answer.skipped.length > 0 && (
        <p>{SEARCH_WORDS.skipped(answer.skipped.slice(0, MOST_NAMED).join(', '))}</p>
      )}
      {!isSearch && note === '' && <p>{SEARCH_WORDS.keysHint}</p>}
    </div>
  );
}

const MOST_NAMED = 5;

function found(isSearching: boolean, count: number): string {
  if (isSearching) return SEARCH_WORDS.searching;
  return count === 0 ? SEARCH_WORDS.noMatch : SEARCH_WORDS.found(count);
}
