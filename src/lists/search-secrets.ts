import type { Actor } from '../access/actor.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { CachedLists } from './dependencies.ts';
import { createFirstOf } from './first-of.ts';
import { notFresh, searchedView } from './fresh-view.ts';
import { soonestOf, type ListItem } from './list-item.ts';
import { eachMatch, visibilityOf, wordsToFind } from './matches.ts';
import type { NamespaceView } from './views.ts';

export interface SearchRequest {
  /** As `searchText`; each must occur in the namespace, the name, a key name or the description. */
  readonly words: readonly string[];
  /** Exactly this type; undefined for any. */
  readonly type: string | undefined;
  readonly limit: number;
}

/**
 * The Secrets of all namespaces that the actor may see and that have the words, from memory alone. Namespaces whose
 * policy is unusable, or of which memory holds too little, are left out and named, whatever the words are, so that nothing
 * shows what is in them.
 *
 * @returns `{results, more, skipped}` as JSON
 * @throws {ServiceError} `cacheUnavailable`
 */
export async function searchSecrets(
  dependencies: CachedLists,
  actor: Actor,
  { words, type, limit }: SearchRequest,
  deadline: Deadline,
): Promise<Buffer> {
  const matches = createBestMatches(words, limit);
  const isWanted = (item: ListItem): boolean => type === undefined || item.type === type;
  const sought = { words: wordsToFind(words), isWanted, take: matches.add };
  const skipped = await eachVisible(dependencies, actor, sought, deadline);
  const { json, more } = matches.best();
  return Buffer.from(`{"results":[${json.join(',')}],"more":${more},"skipped":${JSON.stringify(skipped)}}`);
}

/** Secrets in one response. */
const MAX_EXPIRING = 1_000;

/**
 * The Secrets of all namespaces that the actor may see and that expire, or are to be rotated, until a time (in seconds since
 * 1970), the first of them first. Those that have expired are among them.
 *
 * @returns `{items, more}` as JSON; a namespace that was left out may have more
 * @throws {ServiceError} `cacheUnavailable`
 */
export async function expiringSecrets(
  dependencies: CachedLists,
  actor: Actor,
  until: number,
  deadline: Deadline,
): Promise<Buffer> {
  const at = (item: ListItem): number => soonestOf(item) ?? Infinity;
  const matches = createMatches(at, MAX_EXPIRING);
  const sought = { words: [], isWanted: (item: ListItem) => at(item) <= until, take: matches.add };
  const skipped = await eachVisible(dependencies, actor, sought, deadline);
  const { json, more } = matches.best();
  return Buffer.from(`{"items":[${json.join(',')}],"more":${more || skipped.length > 0}}`);
}

/** What is looked for in all namespaces. */
interface Sought {
  /** As `searchText`; each must occur in the namespace, the name, a key name or the description. */
  readonly words: readonly string[];
  readonly isWanted: (item: ListItem) => boolean;
  readonly take: (item: ListItem) => void;
}

/**
 * Takes what is sought and what the actor may see, namespace by namespace in the order of their names.
 * @returns the namespaces that were left out
 */
async function eachVisible(
  dependencies: CachedLists,
  actor: Actor,
  { words, isWanted, take }: Sought,
  deadline: Deadline,
): Promise<readonly string[]> {
  const namespaces = dependencies.listCache.namespaces();
  if (typeof namespaces === 'string') throw notFresh(namespaces);
  const yielder = createEventLoopYielder();
  /** Undefined where memory holds too little. */
  const views = new Map<string, NamespaceView | undefined>();
  for (const namespace of namespaces.toSorted()) {
    views.set(namespace, await searchedView(dependencies, namespace, deadline));
    await yielder.yieldIfDue();
  }
  const lists = Array.from(views, ([namespace, view]) => ({ namespace, newest: view?.newest }));
  const accesses = await dependencies.authorizer.forLists(actor, lists, deadline);
  if (accesses === undefined) throw notFresh('behind');
  const skipped: string[] = [];
  for (const [namespace, view] of views) {
    const access = accesses.get(namespace);
    if (access === undefined) continue;
    if (access === 'unusable' || view === undefined) {
      skipped.push(namespace);
      continue;
    }
    const sees = visibilityOf(access, dependencies.managedOnly);
    const wanted = {
      words: words.filter((word) => !namespace.includes(word)),
      isVisible: (item: ListItem) => isWanted(item) && sees(item),
    };
    await eachMatch(view.items, wanted, take, yielder);
  }
  return skipped;
}

/**
 * The first matches of any number: exact names, then prefixes of names, then all others.
 * @param words in lower case, as names are
 */
export function createBestMatches(words: readonly string[], limit: number) {
  return createMatches(({ name }) => {
    if (words.includes(name)) return 0;
    return words.some((word) => name.startsWith(word)) ? 1 : 2;
  }, limit);
}

/** Characters of the summaries together, beyond the first. Descriptions may be long. */
const MAX_TEXT = 4 * 1_024 * 1_024;

function createMatches(rankOf: (item: ListItem) => number, limit: number) {
  const matches = createFirstOf(rankOf, limit);
  return {
    add: matches.add,
    /** The summaries of the first ones in their order, and whether more were found. */
    best() {
      const json: string[] = [];
      let text = 0;
      for (const item of matches.first()) {
        text += item.json.length;
        if (json.length === 0 || text <= MAX_TEXT) json.push(item.json);
      }
      return { json, more: json.length < matches.count() };
    },
  };
}
