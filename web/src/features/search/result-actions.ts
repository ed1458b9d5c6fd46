import { accessPath, createPath, deletedPath, editPath, historyPath } from '../../paths.ts';
import type { GivenLevel } from '../../../../src/contract/access-rules.ts';
import { allows } from '../../editing/rules.ts';
import type { SearchResult } from './search-results.ts';

/** Something to do with a result. */
export type ResultAction = { readonly text: string } & (
  { readonly to: string } | { readonly copies: string }
);

/**
 * @param origin of the pages, for links that work elsewhere
 * @param level on the Secret; undefined while it is not known
 */
export function actionsOf(
  result: SearchResult,
  origin: string,
  level: GivenLevel | undefined,
): readonly ResultAction[] {
  const { kind, to, text, secret } = result;
  const name = secret?.name ?? text;
  return [
    { text: 'Open', to },
    ...screensOf(result, level),
    ...(kind === 'action' ? [] : [{ text: 'Copy the name', copies: kind === 'key' ? text : name }]),
    { text: 'Copy the link', copies: origin + to },
  ];
}

function screensOf(
  { kind, text, secret, canCreate }: SearchResult,
  level: GivenLevel | undefined,
): readonly ResultAction[] {
  if (secret !== undefined) {
    return [
      ...(allows(level, 'write') ? [{ text: 'Edit', to: editPath(secret) }] : []),
      { text: 'History', to: historyPath(secret) },
      { text: 'Access', to: accessPath(secret) },
    ];
  }
  if (kind !== 'namespace') return [];
  return [
    ...(canCreate === true ? [{ text: `Create a Secret in ${text}`, to: createPath(text) }] : []),
    { text: `Show deleted Secrets in ${text}`, to: deletedPath(text) },
  ];
}
