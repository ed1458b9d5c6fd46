import type { Actor } from '../access/actor.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { confirmedView, notFresh, type CachedLists } from './fresh-view.ts';
import { createFirstOf, soonestOf, type ListItem } from './list-item.ts';
import { eachMatch, visibilityOf, withinText, wordsToFind } from './matches.ts';
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
  const found = createFirstOf(rankAmong(words), limit);
  const isWanted = (item: ListItem): boolean => type === undefined || item.type === type;
  const sought = { words: wordsToFind(words), isWanted, take: found.add };
  const skipped = await eachVisible(dependencies, actor, sought, deadline);
  const { json, more } = summariesOf(found);
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
  const found = createFirstOf(at, MAX_EXPIRING);
  const sought = { words: [], isWanted: (item: ListItem) => at(item) <= until, take: found.add };
  const skipped = await eachVisible(dependencies, actor, sought, deadline);
  const { json, more } = summariesOf(found);
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
  const { listCache, authorizer, managedOnly } = dependencies;
  const namespaces = listCache.namespaces();
  if (typeof namespaces === 'string') throw notFresh(namespaces);
  const yielder = createEventLoopYielder();
  /** Undefined where memory holds too little, or the service may not watch. */
  const views = new Map<string, NamespaceView | undefined>();
  for (const namespace of namespaces.toSorted()) {
    const early = await listCache.state(namespace, deadline);
    // Forbidden is this namespace alone while the cache is fresh as a whole; once that was emptied, nothing is known.
    const isForbidden = early === 'notSynced' && typeof listCache.namespaces() !== 'string';
    const fresh = isForbidden ? undefined : await confirmedView(dependencies, namespace, early, deadline);
    views.set(namespace, fresh === 'memory' ? undefined : fresh?.view);
    await yielder.yieldIfDue();
  }
  const lists = Array.from(views, ([namespace, view]) => ({ namespace, newest: view?.newest }));
  const accesses = await authorizer.forLists(actor, lists, deadline);
  if (accesses === undefined) throw notFresh('behind');
  const skipped: string[] = [];
  for (const [namespace, view] of views) {
    const access = accesses.get(namespace);
    if (access === undefined) continue;
    if (access === 'unusable' || view === undefined) {
      skipped.push(namespace);
      continue;
    }
    const sees = visibilityOf(access, managedOnly);
    const wanted = {
      words: words.filter((word) => !namespace.includes(word)),
      isVisible: (item: ListItem) => isWanted(item) && sees(item),
    };
    await eachMatch(view.items, wanted, take, yielder);
  }
  return skipped;
}

/**
 * Exact names come first, then prefixes of names, then all others.
 * @param words in lower case, as names are
 */
export function rankAmong(words: readonly string[]): (item: ListItem) => number {
  return ({ name }) => {
    if (words.includes(name)) return 0;
    return words.some((word) => name.startsWith(word)) ? 1 : 2;
  };
}

/** The summaries of the first ones in their order, and whether more were found. */
export function summariesOf(found: ReturnType<typeof createFirstOf<ListItem>>) {
  const json = withinText(found.first()).map((item) => item.json);
  return { json, more: json.length < found.count() };
}
