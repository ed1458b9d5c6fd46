import type { Actor } from '../../access/actor.ts';
import type { NamespaceInScope } from '../../access/namespace-scope.ts';
import type { Clock } from '../../timing/clock.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { ListCache } from '../list-cache.ts';
import type { SecretList } from '../list-secrets.ts';
import type { KeptResults } from './kept-results.ts';
import { listPage, type PageDependencies, type PageRequest } from './list-page.ts';
import { createNamespaceStates } from './namespace-states.ts';
import { searchSecrets, type SearchDependencies, type SearchRequest } from './search-secrets.ts';
import { notVouched } from './vouched-state.ts';

/** What is answered from memory alone: pages of lists, and searches. */
export interface MemoryLists {
  page(
    actor: Actor,
    request: PageRequest & { readonly namespace: NamespaceInScope },
    deadline: Deadline,
  ): Promise<SecretList>;
  search(actor: Actor, request: SearchRequest, deadline: Deadline): Promise<Buffer>;
}

export interface MemoryListsDependencies extends Omit<
  PageDependencies & SearchDependencies,
  'states' | 'results' | 'listCache'
> {
  /** If undefined, nothing can be answered. */
  readonly listCache: ListCache | undefined;
  /** What further pages are cut from. */
  readonly pageResults: KeptResults;
  readonly clock: Pick<Clock, 'now'>;
}

export function createMemoryLists({
  listCache,
  pageResults: results,
  clock,
  ...rest
}: MemoryListsDependencies): MemoryLists {
  if (listCache === undefined) {
    const refuse = () => Promise.reject(notVouched('disabled'));
    return { page: refuse, search: refuse };
  }
  const dependencies = { ...rest, listCache, results, states: createNamespaceStates(listCache, clock) };
  return {
    page: (actor, request, deadline) => listPage(dependencies, actor, request, deadline),
    search: (actor, request, deadline) => searchSecrets(dependencies, actor, request, deadline),
  };
}
