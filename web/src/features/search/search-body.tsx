import type { ReactNode } from 'react';
import { counted } from '../../values/format.ts';
import { useEscape } from '../../ui/use-escape.ts';
import { optionId, ResultList, type Option, type OptionGroup } from './result-list.tsx';
import { useOptions } from './use-options.ts';
import { useSearch, type Search } from './use-search.ts';

export interface SearchBodyProps {
  /** That of the screen. */
  readonly namespace: string | undefined;
  readonly text: string;
  /** The field, with what makes it one of these results. */
  readonly field: (inputProps: object) => ReactNode;
  readonly onClose: () => void;
}

/** Finds Secrets, keys, namespaces and actions: the field keeps the focus, arrows choose, Enter opens. */
export function SearchBody({ namespace, text, field, onClose }: SearchBodyProps) {
  const search = useSearch(text, namespace);
  const { groups, active, note, isAboutActions, back, onKeyDown } = useOptions(search.groups, onClose);
  useEscape(isAboutActions, back);
  return (
    <>
      {field({ ...comboboxProps(groups, active), onKeyDown, onInput: back })}
      <SearchStatus
        text={text}
        search={search}
        count={groups.reduce((count, { options }) => count + options.length, 0)}
        isAboutActions={isAboutActions}
        note={note}
      />
      <ResultList groups={groups} active={active?.id} />
    </>
  );
}

function comboboxProps(groups: readonly OptionGroup[], active: Option | undefined) {
  return {
    'aria-expanded': active !== undefined,
    'aria-controls': groups.map(({ id }) => id).join(' '),
    ...(active === undefined ? {} : { 'aria-activedescendant': optionId(active.id) }),
  };
}

interface SearchStatusProps {
  readonly text: string;
  readonly search: Search;
  /** Of what is shown. */
  readonly count: number;
  readonly isAboutActions: boolean;
  /** What has just happened. */
  readonly note: string;
}

/** How far the search is, and what it does not cover. */
function SearchStatus({ text, search, count, isAboutActions, note }: SearchStatusProps) {
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
