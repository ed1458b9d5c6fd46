import type { Actor } from '../access/actor.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { CachedLists } from './dependencies.ts';
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
  request: SearchRequest,
  deadline: Deadline,
): Promise<Buffer> {
  const { words, type, limit } = request;
  const matches = createBestMatches(words, limit);
  const sought: Sought = {
    words: wordsToFind(words),
    isWanted: (item) => type === undefined || item.type === type,
    take: matches.add,
  };
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
  const matches = createFirstOf(at, MAX_EXPIRING);
  const isWanted = (item: ListItem): boolean => at(item) <= until;
  const skipped = await eachVisible(
    dependencies,
    actor,
    { words: [], isWanted, take: matches.add },
    deadline,
  );
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
 * Takes what is sought and what the actor may see.
 * @returns the namespaces that were left out
 */
async function eachVisible(
  dependencies: CachedLists,
  actor: Actor,
  { words, isWanted, take }: Sought,
  deadline: Deadline,
): Promise<readonly string[]> {
  const searched = await allViews(dependencies, deadline);
  const lists = searched.map(({ namespace, view }) => ({ namespace, newest: view?.newest }));
  const accesses = await dependencies.authorizer.forLists(actor, lists, deadline);
  if (accesses === undefined) throw notFresh('behind');
  const yielder = createEventLoopYielder();
  const skipped: string[] = [];
  for (const { namespace, view } of searched) {
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

interface Searched {
  readonly namespace: string;
  /** Undefined where memory holds too little. */
  readonly view: NamespaceView | undefined;
}

/** The views of all namespaces, ordered by name. */
async function allViews(dependencies: CachedLists, deadline: Deadline): Promise<readonly Searched[]> {
  const namespaces = dependencies.listCache.namespaces();
  if (typeof namespaces === 'string') throw notFresh(namespaces);
  const yielder = createEventLoopYielder();
  const views: Searched[] = [];
  for (const namespace of namespaces.toSorted()) {
    views.push({ namespace, view: await searchedView(dependencies, namespace, deadline) });
    await yielder.yieldIfDue();
  }
  return views;
}

interface Ranked {
  readonly found: Found;
  readonly rank: number;
}

/** Characters of the summaries together, beyond the first. Descriptions may be long. */
const MAX_TEXT = 4 * 1_024 * 1_024;

type Found = Pick<ListItem, 'namespace' | 'name' | 'json'>;

/**
 * Collects what was found, of any number the first ones: exact names, then prefixes of names, then all others.
 * @param words in lower case, as names are
 */
export function createBestMatches(words: readonly string[], limit: number) {
  return createFirstOf(({ name }: Found) => rankOf(name, words), limit);
}

/** The same by any rank. */
function createFirstOf<Item extends Found>(rank: (item: Item) => number, limit: number) {
  let kept: Ranked[] = [];
  let count = 0;
  const shorten = (): void => {
    kept = kept.sort(inOrder).slice(0, limit);
  };
  return {
    add: (found: Item): void => {
      count++;
      kept.push({ found, rank: rank(found) });
      if (kept.length >= 2 * limit) shorten();
    },
    /** The summaries of the first ones in their order, and whether more were found. */
    best() {
      shorten();
      const json: string[] = [];
      let text = 0;
      for (const { found } of kept) {
        text += found.json.length;
        if (json.length === 0 || text <= MAX_TEXT) json.push(found.json);
      }
      return { json, more: json.length < count };
    },
  };
}

function rankOf(name: string, words: readonly string[]): number {
  if (words.includes(name)) return 0;
  return words.some((word) => name.startsWith(word)) ? 1 : 2;
}

/** Equal ranks by name, then by namespace. */
function inOrder(one: Ranked, other: Ranked): number {
  const [first, second] = [one.found, other.found];
  return (
    one.rank - other.rank || compare(first.name, second.name) || compare(first.namespace, second.namespace)
  );
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
