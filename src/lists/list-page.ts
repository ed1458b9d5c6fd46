import type { Actor } from '../access/actor.ts';
import type { ListAccess } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import { emailKey } from '../contract/email.ts';
import { invalidRequest, ServiceError } from '../errors/service-error.ts';
import type { Deadline } from '../timing/deadline.ts';
import { pageView, type ListParts } from './fresh-view.ts';
import { createListBody, type SecretList } from './list-body.ts';
import { newerRevision, type ListItem } from './list-item.ts';
import { eachMatch, visibilityOf, withinText } from './matches.ts';
import { digestOf, type PageToken, type PageTokens } from './page-token.ts';
import type { NamespaceView, RetainedViews } from './views.ts';

export const SORTS = ['name', 'changed'] as const;

export interface ListPageRequest {
  /** As `searchText`; each must occur in the name, a key name or the description. */
  readonly words: readonly string[];
  /** By name, or the last changed first. */
  readonly sort: (typeof SORTS)[number];
  /** Secrets on the page at most. */
  readonly limit: number;
  /** What the page before gave for this one. */
  readonly token: string | undefined;
}

/** What someone sees of a view for a query. */
interface Result {
  readonly view: NamespaceView;
  readonly access: ListAccess;
  readonly isVisible: (item: ListItem) => boolean;
  /** In the order of the query. */
  readonly items: readonly ListItem[];
  /** Equal for equal results, on every replica. */
  readonly digest: string;
}

/**
 * A page of the Secrets of a namespace that the actor may see: filtered by access before it is cut, and with all further
 * pages from the same view, as long as the actor may still see what they show.
 *
 * @throws {ServiceError} `invalidRequest`, `cacheUnavailable`, `listOverBudget`, `policyUnavailable` or `pageExpired`;
 *   any error of a live list
 */
export async function listPage(
  dependencies: ListParts,
  actor: Actor,
  { namespace, ...request }: ListPageRequest & { readonly namespace: NamespaceInScope },
  deadline: Deadline,
): Promise<SecretList> {
  const { authorizer, managedOnly, tokens, retainedViews } = dependencies;
  const query = digestOf(request.sort, ...request.words);
  const token = request.token === undefined ? undefined : readToken(tokens, request.token, query);
  const fresh = await pageView(dependencies, namespace, deadline);
  const resultOf = async (view: NamespaceView): Promise<Result> => {
    // The policy has to be as new as both of what is shown and what decides whether it still may be.
    const newest = newerRevision(view.newest ?? '0', fresh.view.newest ?? '0');
    const list = { live: false, newest: newest === '0' ? undefined : newest };
    const access = await authorizer.forList(actor, namespace, list, deadline);
    return select(view, access, request, visibilityOf(access, managedOnly));
  };
  const current = await resultOf(fresh.view);
  const access = digestOf(emailKey(actor.user.email), namespace, current.access.key);
  if (token !== undefined && token.access !== access) throw expired();
  const result = await resultOfToken(token, current, retainedViews, resultOf);
  const begin = token?.offset ?? 0;
  if (begin > 0 && begin >= result.items.length) throw expired();
  const shown = withinText(result.items.slice(begin, begin + request.limit));
  if (result !== current && hasLostAccess(shown, current)) throw expired();
  const { view, items, digest } = result;
  const offset = begin + shown.length;
  const isLast = offset >= items.length;
  if (!isLast) retainedViews.retain(view, result === current && fresh.from.source === 'live');
  const rest = JSON.stringify({
    canCreate: result.access.canCreate,
    total: items.length,
    continue: isLast ? undefined : tokens.encode({ offset, view: view.id, result: digest, query, access }),
  });
  const summaries = shown.map(({ json }) => json).join(',');
  const plain = Buffer.from(
    `{"namespace":${JSON.stringify(namespace)},"secrets":[${summaries}],${rest.slice(1)}`,
  );
  return { body: createListBody(plain, dependencies.compress), from: fresh.from };
}

/** The result that the token continues: what the person sees now, if it is the same, or what they saw then. */
async function resultOfToken(
  token: PageToken | undefined,
  current: Result,
  retainedViews: RetainedViews,
  resultOf: (view: NamespaceView) => Promise<Result>,
): Promise<Result> {
  if (token === undefined || token.result === current.digest) return current;
  const retained = retainedViews.find(current.view.namespace, token.view);
  const result = retained && (await resultOf(retained));
  if (result?.digest !== token.result) throw expired();
  return result;
}

function readToken(tokens: PageTokens, text: string, query: string): PageToken {
  const token = tokens.decode(text);
  if (token === undefined) throw invalidRequest('continue must be as the page before gave it');
  if (token === 'foreign') throw expired();
  if (token.query === query) return token;
  throw invalidRequest('q and sort must be those of the page that gave continue');
}

/** The same for a token of another person: whether theirs is retained is not shown. */
function expired(): ServiceError {
  return new ServiceError(
    'pageExpired',
    'The state that continue belongs to is gone; begin with the first page',
  );
}

async function select(
  view: NamespaceView,
  access: ListAccess,
  { words, sort }: Pick<ListPageRequest, 'words' | 'sort'>,
  isVisible: (item: ListItem) => boolean,
): Promise<Result> {
  const items: ListItem[] = [];
  let newest: ListItem | undefined;
  let newestRevision = 0;
  const take = (item: ListItem): void => {
    items.push(item);
    const revision = Number(item.resourceVersion);
    if (revision <= newestRevision) return;
    newest = item;
    newestRevision = revision;
  };
  await eachMatch(sort === 'name' ? view.items : await view.byChange(), { words, isVisible }, take);
  /*
   * While no revision is newer, what someone sees can only become less: results with the same newest revision and as many
   * Secrets are the same, whatever happens to Secrets that they do not show.
   */
  const isComparable = items.every(({ resourceVersion }) => Number.isSafeInteger(Number(resourceVersion)));
  const of = isComparable ? [newest?.resourceVersion ?? '', newest?.uid ?? ''] : [view.id];
  return { view, access, isVisible, items, digest: digestOf(String(items.length), ...of) };
}

/**
 * Whether one of the Secrets that an earlier view shows is hidden now. One that no longer exists remains part of its view:
 * nothing about it was decided since.
 */
function hasLostAccess(shown: readonly ListItem[], { view, isVisible }: Result): boolean {
  const then = new Map(shown.map((item) => [item.name, item]));
  return view.items.some((now) => (then.get(now.name) ?? now) !== now && !isVisible(now));
}
