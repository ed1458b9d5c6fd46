import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { createBestMatches } from './best-matches.ts';
import { notFresh, searchedView, type FreshViewDependencies } from './fresh-view.ts';
import type { ListItem } from './list-item.ts';
import { eachMatch } from './matches.ts';
import type { NamespaceView } from './views.ts';
import { visibilityOf } from './visibility.ts';
import { wordsToFind } from './words.ts';

export interface SearchRequest {
  /** As `searchText`; each must occur in the namespace, the name, a key name or the description. */
  readonly words: readonly string[];
  /** Exactly this type; undefined for any. */
  readonly type: string | undefined;
  readonly limit: number;
}

export interface SearchDependencies extends Omit<FreshViewDependencies, 'onList'> {
  readonly authorizer: Pick<Authorizer, 'forLists'>;
  readonly managedOnly: boolean;
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
  dependencies: SearchDependencies,
  actor: Actor,
  request: SearchRequest,
  deadline: Deadline,
): Promise<Buffer> {
  const searched = await allViews(dependencies, deadline);
  const lists = searched.map(({ namespace, view }) => ({ namespace, newest: view?.newest }));
  const accesses = await dependencies.authorizer.forLists(actor, lists, deadline);
  if (accesses === undefined) throw notFresh('behind');
  const yielder = createEventLoopYielder();
  const matches = createBestMatches(request.words, request.limit);
  const skipped: string[] = [];
  const words = wordsToFind(request.words);
  const isOfType = ({ type }: ListItem): boolean => request.type === undefined || type === request.type;
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
      isVisible: (item: ListItem) => isOfType(item) && sees(item),
    };
    await eachMatch(view.items, wanted, matches.add, yielder);
  }
  const { json, more } = matches.best();
  return Buffer.from(`{"results":[${json.join(',')}],"more":${more},"skipped":${JSON.stringify(skipped)}}`);
}

interface Searched {
  readonly namespace: string;
  /** Undefined where memory holds too little. */
  readonly view: NamespaceView | undefined;
}

/** The views of all namespaces, ordered by name. */
async function allViews(dependencies: SearchDependencies, deadline: Deadline): Promise<readonly Searched[]> {
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
