import type { Actor } from '../../access/actor.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { ListAccess } from '../../access/list-access.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { createEventLoopYielder, type EventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { createBestMatches, type BestMatches } from './best-matches.ts';
import type { NamespaceState } from './namespace-states.ts';
import { visibilityOf } from './visible-items.ts';
import { notVouched, vouchedState, type VouchedStateDependencies } from './vouched-state.ts';
import { hasWords, wordsToFind } from './words.ts';

export interface SearchRequest {
  /** As `searchText`; each must occur in the namespace, the name, a key name or the description. */
  readonly words: readonly string[];
  /** Exactly this type; undefined for any. */
  readonly type: string | undefined;
  readonly limit: number;
}

export interface SearchDependencies extends VouchedStateDependencies {
  readonly authorizer: Pick<Authorizer, 'forLists'>;
  readonly managedOnly: boolean;
}

/** Steps between two looks at the clock. */
const STEPS = 64;

/**
 * The Secrets of all namespaces that the actor may see and that have the words, from memory alone. Namespaces whose
 * policy is unusable are left out and named, whatever the words are, so that nothing shows what is in them.
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
  const states = await allStates(dependencies, deadline);
  const accesses = await dependencies.authorizer.forLists(actor, states, deadline);
  if (accesses === undefined) throw notVouched('behind');
  const yielder = createEventLoopYielder();
  const matches = createBestMatches(request.words, request.limit);
  const skipped: string[] = [];
  const { type } = request;
  const words = wordsToFind(request.words);
  for (const state of states) {
    const access = accesses.get(state.namespace);
    if (access === 'unusable') skipped.push(state.namespace);
    else if (access !== undefined)
      await addMatches(matches, state, { ...dependencies, access, type, words, yielder });
  }
  const { json, more } = matches.best();
  return Buffer.from(`{"results":[${json.join(',')}],"more":${more},"skipped":${JSON.stringify(skipped)}}`);
}

/** The states of all namespaces, ordered by name. */
async function allStates(
  dependencies: SearchDependencies,
  deadline: Deadline,
): Promise<readonly NamespaceState[]> {
  const namespaces = dependencies.listCache.namespaces();
  if (typeof namespaces === 'string') throw notVouched(namespaces);
  const yielder = createEventLoopYielder();
  const states: NamespaceState[] = [];
  for (const namespace of namespaces.toSorted()) {
    states.push((await vouchedState(dependencies, namespace, deadline)).state);
    await yielder.yieldIfDue();
  }
  return states;
}

interface Selection {
  readonly access: Pick<ListAccess, 'isVisible'>;
  readonly managedOnly: boolean;
  readonly type: string | undefined;
  readonly words: readonly string[];
  readonly yielder: EventLoopYielder;
}

async function addMatches(
  matches: BestMatches,
  state: NamespaceState,
  { access, managedOnly, type, words, yielder }: Selection,
): Promise<void> {
  const isVisible = visibilityOf(access, managedOnly);
  const remaining = words.filter((word) => !state.namespace.includes(word));
  let step = 0;
  for (const item of state.items) {
    if (++step % STEPS === 0 && yielder.isDue()) await yielder.yieldNow();
    if (type !== undefined && item.type !== type) continue;
    if (isVisible(item) && hasWords(item, remaining)) matches.add(item);
  }
}
