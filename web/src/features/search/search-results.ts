import type { GivenLevel } from '../../../../src/contract/access-rules.ts';
import { searchText } from '../../../../src/contract/search-text.ts';
import type { Namespaces, SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import {
  accessPath,
  activityPath,
  createPath,
  deletedPath,
  detailPath,
  editPath,
  expiringPath,
  historyPath,
  listPath,
} from '../../paths.ts';
import { allowsChange } from '../../editing/secret-types.ts';
import { inOrderOfUse, type Places } from '../../places/places.ts';

type FoundSecret = SecretRef & Partial<Pick<SecretSummary, 'type' | 'description'>>;

export type ResultKind = 'secret' | 'key' | 'namespace' | 'action';

/** What can be chosen: it leads somewhere, or copies a text. */
export interface SearchResult {
  readonly kind: ResultKind;
  /** Unlike that of any other result. */
  readonly to?: string;
  readonly copies?: string;
  readonly text: string;
  readonly hint?: string;
  /** The Secret that it is, or belongs to, with its type where that is known. */
  readonly secret?: FoundSecret;
  /** Whether Secrets can be created in the namespace that it is. */
  readonly canCreate?: boolean;
}

export interface SearchGroup {
  readonly title: string;
  readonly results: readonly SearchResult[];
}

/** What can be found without a request. */
export interface SearchSources {
  readonly namespaces: Namespaces;
  /** Those that are loaded, by their address. */
  readonly secrets: ReadonlyMap<string, SecretSummary>;
  readonly places: Places;
  /** That of the screen. */
  readonly namespace: string | undefined;
}

const MOST_SECRETS = 30;
const MOST_KEYS = 10;
const MOST_NAMESPACES = 6;

/** The words of a text, as the service reads them: each must occur, in any case. */
export const searchWords = (text: string): readonly string[] => searchText(text).split(/\s+/).filter(Boolean);

/** What matches, in groups without empty ones; without words, where the person was last. */
export function resultsFor(words: readonly string[], sources: SearchSources): readonly SearchGroup[] {
  const found = words.length === 0 ? [recentSecrets(sources)] : matchingSecrets(words, sources);
  const groups = [
    ...found,
    { title: 'Namespaces', results: matchingNamespaces(words, sources) },
    { title: 'Actions', results: matchingActions(words, sources) },
  ];
  return groups.filter(({ results }) => results.length > 0);
}

function recentSecrets({ places, secrets }: SearchSources): SearchGroup {
  const results = places.recentSecrets.map((ref) => secretResult(secrets.get(detailPath(ref)) ?? ref));
  return { title: 'Recent Secrets', results };
}

interface Match {
  readonly secret: SecretSummary;
  /** The key that a word was found in, and nothing else of the Secret. */
  readonly key: string | undefined;
  readonly rank: number;
}

function matchingSecrets(
  words: readonly string[],
  { secrets, places }: SearchSources,
): readonly SearchGroup[] {
  const recent = new Set(places.recentSecrets.map(detailPath));
  const matches = [...secrets].flatMap(([path, secret]): readonly Match[] => {
    const { own, all } = textsOf(secret);
    if (!includesAll(all, words)) return [];
    const key = keyOf(secret, own, words);
    return [{ secret, key, rank: rankOf(key ?? secret.name, words, recent.has(path)) }];
  });
  matches.sort((one, other) => one.rank - other.rank || compare(one.secret, other.secret));
  const named = matches.filter(({ key }) => key === undefined).slice(0, MOST_SECRETS);
  const keyed = matches.filter(({ key }) => key !== undefined).slice(0, MOST_KEYS);
  return [
    { title: 'Secrets', results: named.map(({ secret }) => secretResult(secret)) },
    { title: 'Keys', results: keyed.map(({ secret, key = '' }) => keyResult(secret, key)) },
  ];
}

/** Exact names first, then names that begin with a word, as the service has them; among equals what was opened before. */
function rankOf(name: string, words: readonly string[], isRecent: boolean): number {
  const text = name.toLowerCase();
  const rank = words.includes(text) ? 0 : words.some((word) => text.startsWith(word)) ? 2 : 4;
  return isRecent ? rank : rank + 1;
}

function compare(one: SecretSummary, other: SecretSummary): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.namespace < other.namespace ? -1 : 1;
}

/** The first key with a word that the Secret has nowhere else; undefined if its name, namespace or description suffice. */
function keyOf(secret: SecretSummary, own: string, words: readonly string[]): string | undefined {
  const missing = words.filter((word) => !own.includes(word));
  if (missing.length === 0) return undefined;
  return secret.keys.find((key) => missing.some((word) => key.toLowerCase().includes(word)));
}

function matchingNamespaces(words: readonly string[], sources: SearchSources): readonly SearchResult[] {
  const names = inOrderOfUse(
    sources.namespaces.map(({ name }) => name),
    sources.places,
  );
  const matches = names.filter((name) => includesAll(name, words));
  // An exact name comes before those that only contain it.
  const exact = matches.filter((name) => words.includes(name));
  const others = matches.filter((name) => !words.includes(name));
  return [...exact, ...others].slice(0, MOST_NAMESPACES).map((name) => ({
    kind: 'namespace',
    to: listPath(name),
    text: name,
    canCreate: sources.namespaces.some((one) => one.name === name && one.canCreate),
  }));
}

function matchingActions(
  words: readonly string[],
  { namespace, namespaces }: SearchSources,
): readonly SearchResult[] {
  const here = namespaces.find(({ name }) => name === namespace);
  const actions = [
    ...(here === undefined ? [] : screensOf(here.name, here.canCreate)),
    { to: expiringPath, text: 'Show what expires' },
    { to: '/', text: 'Show all namespaces' },
  ];
  return actions
    .filter(({ text }) => includesAll(text.toLowerCase(), words))
    .map((action) => ({ kind: 'action', ...action }));
}

/** Of a namespace. */
function screensOf(namespace: string, canCreate: boolean) {
  return [
    ...(canCreate ? [{ text: `Create a Secret in ${namespace}`, to: createPath(namespace) }] : []),
    { text: `Show activity in ${namespace}`, to: activityPath(namespace) },
    { text: `Show deleted Secrets in ${namespace}`, to: deletedPath(namespace) },
  ];
}

/**
 * What can be done with a result.
 * @param origin of the pages, for links that work elsewhere
 * @param level on the Secret; undefined while it is not known
 */
export function actionsOf(
  { kind, to = '', text, secret, canCreate = false }: SearchResult,
  origin: string,
  level: GivenLevel | undefined,
): readonly SearchResult[] {
  const ofSecret = secret && [
    ...(allowsChange(level, 'write', secret.type ?? '') ? [{ text: 'Edit', to: editPath(secret) }] : []),
    { text: 'History', to: historyPath(secret) },
    { text: 'Access', to: accessPath(secret) },
  ];
  const actions = [
    { text: 'Open', to },
    ...(ofSecret ?? (kind === 'namespace' ? screensOf(text, canCreate) : [])),
    ...(kind === 'action' ? [] : [{ text: 'Copy the name', copies: text }]),
    { text: 'Copy the link', copies: origin + to },
  ];
  return actions.map((action) => ({ kind: 'action', ...action }));
}

function secretResult(secret: FoundSecret): SearchResult {
  const { namespace, name, description = '' } = secret;
  const place = `in ${namespace}`;
  const hint = description === '' ? place : `${place} · ${description}`;
  return { kind: 'secret', to: detailPath(secret), text: name, hint, secret };
}

function keyResult(secret: FoundSecret, key: string): SearchResult {
  const { namespace, name } = secret;
  const to = `${detailPath(secret)}?${new URLSearchParams({ keys: key }).toString()}`;
  return { kind: 'key', to, text: key, hint: `in ${name}, ${namespace}`, secret };
}

function includesAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

const texts = new WeakMap<SecretSummary, { readonly own: string; readonly all: string }>();

/**
 * Name, namespace and description of a Secret, and the same with its keys. Made once for each: all are searched for every
 * key that is typed.
 */
function textsOf(secret: SecretSummary) {
  const known = texts.get(secret);
  if (known !== undefined) return known;
  const { namespace, name, keys, description } = secret;
  const own = searchText([namespace, name, description].join('\n'));
  const made = { own, all: searchText([own, ...keys].join('\n')) };
  texts.set(secret, made);
  return made;
}
