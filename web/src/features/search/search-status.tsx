import type { Search } from './use-search.ts';
import { counted } from '../../values/format.ts';

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
      {isSearch && count === 0 && !isSearching && (
        <p>Each word must occur in the namespace, the name, a key or the description.</p>
      )}
      {isSearch && hasFailed && (
        <p>Only what this tab has loaded was searched: the service cannot search right now.</p>
      )}
      {isSearch && answer?.more === true && <p>There are more: add a word to narrow them down.</p>}
      {isSearch && answer !== undefined && answer.skipped.length > 0 && (
        <p>
          Not searched, because their rules cannot be read: {answer.skipped.slice(0, MOST_NAMED).join(', ')}.
        </p>
      )}
      {!isSearch && note === '' && <p>↑ ↓ choose · Enter opens · → more actions</p>}
    </div>
  );
}

const MOST_NAMED = 5;

function found(isSearching: boolean, count: number): string {
  if (isSearching) return 'Searching all namespaces…';
  return count === 0 ? 'No matches' : counted(count, 'result');
}
