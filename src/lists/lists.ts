import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { SnapshotStore } from '../history/ports.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Clock } from '../timing/clock.ts';
import type { Deadline } from '../timing/deadline.ts';
import { notFresh } from './fresh-view.ts';
import { createRetainedViews } from './retained-views.ts';
import { createListAnswers } from './list-answers.ts';
import type { Compress } from './list-body.ts';
import type { ListCache } from './list-cache.ts';
import { listPage, type ListPageRequest } from './list-page.ts';
import { listSecrets, type ListOutcome, type ListRequest, type SecretList } from './list-secrets.ts';
import { createLiveLists } from './live-lists.ts';
import { createPageTokens } from './page-token.ts';
import { searchSecrets, type SearchRequest } from './search-secrets.ts';
import { createViews } from './views.ts';

/** Lists of the live Secrets that someone may see, without values. */
export interface Lists {
  /** A whole namespace, complete or an error. */
  list(
    actor: Actor,
    namespace: NamespaceInScope,
    request: ListRequest,
    deadline: Deadline,
  ): Promise<SecretList>;
  /** A part of a namespace. */
  page(
    actor: Actor,
    namespace: NamespaceInScope,
    request: ListPageRequest,
    deadline: Deadline,
  ): Promise<SecretList>;
  /** All namespaces. */
  search(actor: Actor, request: SearchRequest, deadline: Deadline): Promise<Buffer>;
  /** Bytes at the moment. */
  readonly figures: () => { readonly answers: number; readonly retainedViews: number };
}

export interface ListsDependencies {
  readonly store: Pick<SnapshotStore, 'listPage' | 'listMetadata'>;
  readonly codec: Pick<AnnotationCodec, 'liveSelector'>;
  readonly authorizer: Pick<Authorizer, 'forList' | 'forLists'>;
  readonly managedOnly: boolean;
  /** If undefined, every list is live, and there are neither pages nor searches. */
  readonly listCache: ListCache | undefined;
  /** Compresses lists, which hold no values. */
  readonly compress: Compress;
  /** Of `continue` tokens, see {@link createPageTokens}. */
  readonly tokenKey: Uint8Array;
  /** A monotonic clock. */
  readonly clock: Pick<Clock, 'now'>;
  readonly onList: (outcome: ListOutcome) => void;
  /** Counts a list that is refused because too many are waiting. */
  readonly countRefusal: (bound: 'live_lists') => void;
}

/** Serialized lists kept for repeated requests. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What is retained for further pages. */
const MAX_RETAINED_BYTES = 32 * 1024 * 1024;

export function createLists(dependencies: ListsDependencies): Lists {
  const { listCache, compress, clock } = dependencies;
  const liveLists = createLiveLists(dependencies);
  const listAnswers = createListAnswers(MAX_ANSWER_BYTES, compress);
  const whole = { ...dependencies, liveLists, listAnswers };
  if (listCache === undefined) {
    const refuse = () => Promise.reject(notFresh('disabled'));
    return {
      list: (actor, namespace, request, deadline) =>
        listSecrets({ ...whole, cached: undefined }, actor, { namespace, ...request }, deadline),
      page: refuse,
      search: refuse,
      figures: () => ({ answers: listAnswers.bytes(), retainedViews: 0 }),
    };
  }
  const views = createViews(listCache, clock);
  const retainedViews = createRetainedViews(MAX_RETAINED_BYTES, listCache, clock);
  const tokens = createPageTokens(dependencies.tokenKey);
  const cached = { ...whole, listCache, views, retainedViews, tokens, cached: { listCache, views } };
  return {
    list: (actor, namespace, request, deadline) =>
      listSecrets(cached, actor, { namespace, ...request }, deadline),
    page: (actor, namespace, request, deadline) =>
      listPage(cached, actor, { namespace, ...request }, deadline),
    search: (actor, request, deadline) => searchSecrets(cached, actor, request, deadline),
    figures: () => ({ answers: listAnswers.bytes(), retainedViews: retainedViews.bytes() }),
  };
}
