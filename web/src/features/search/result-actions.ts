import { accessPath, createPath, deletedPath, editPath, historyPath } from '../../paths.ts';
import { SEARCH_WORDS } from '../../words/search.ts';
import type { SearchResult } from './search-results.ts';

/** Something to do with a result. */
export type ResultAction = { readonly text: string } & (
  { readonly to: string } | { readonly copies: string }
);

/** @param origin of the pages, for links that work elsewhere */
export function actionsOf(result: SearchResult, origin: string): readonly ResultAction[] {
  const { kind, to, text, secret } = result;
  const name = secret?.name ?? text;
  return [
    { text: SEARCH_WORDS.open, to },
    ...screensOf(result),
    ...(kind === 'action' ? [] : [{ text: SEARCH_WORDS.copyName, copies: kind === 'key' ? text : name }]),
    { text: SEARCH_WORDS.copyLink, copies: origin + to },
  ];
}

function screensOf({ kind, text, secret, canCreate }: SearchResult): readonly ResultAction[] {
  if (secret !== undefined) {
    return [
      { text: SEARCH_WORDS.edit, to: editPath(secret) },
      { text: SEARCH_WORDS.history, to: historyPath(secret) },
      { text: SEARCH_WORDS.access, to: accessPath(secret) },
    ];
  }
  if (kind !== 'namespace') return [];
  return [
    ...(canCreate === true ? [{ text: SEARCH_WORDS.create(text), to: createPath(text) }] : []),
    { text: SEARCH_WORDS.deleted(text), to: deletedPath(text) },
  ];
}
