import type { Actor } from '../../access/actor.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { NamespaceInScope } from '../../access/namespace-scope.ts';
import { emailKey } from '../../contract/email.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { createListBody, type Compress } from '../list-body.ts';
import { newestItem, type ListItem } from '../list-item.ts';
import type { SecretList } from '../list-secrets.ts';
import type { KeptResult, KeptResults, PageResult } from './kept-results.ts';
import { hasLostAccess } from './lost-access.ts';
import type { NamespaceState } from './namespace-states.ts';
import { selectPositions, type PageQuery } from './page-positions.ts';
import { decodeToken, encodeToken, digestOf, type PageToken } from './page-token.ts';
import { visibilityOf } from './visible-items.ts';
import { vouchedState, type VouchedStateDependencies } from './vouched-state.ts';

export interface PageRequest extends PageQuery {
  /** Secrets on the page at most. */
  readonly limit: number;
  /** What the page before gave for this one. */
  readonly token: string | undefined;
}

export interface PageDependencies extends VouchedStateDependencies {
  readonly authorizer: Pick<Authorizer, 'forList'>;
  readonly managedOnly: boolean;
  readonly results: KeptResults;
  readonly compress: Compress;
}

/** Characters of the summaries on one page, beyond the first. Descriptions may be long. */
const MOST_TEXT = 4 * 1_024 * 1_024;

/**
 * A page of the Secrets of a namespace that the actor may see, from memory alone: filtered by access before it is cut,
 * and with all further pages from the same state, as long as the actor may still see what they show.
 *
 * @throws {ServiceError} `invalidRequest`, `cacheUnavailable`, `policyUnavailable` or `pageExpired`
 */
export async function listPage(
  dependencies: PageDependencies,
  actor: Actor,
  { namespace, ...request }: PageRequest & { readonly namespace: NamespaceInScope },
  deadline: Deadline,
): Promise<SecretList> {
  const query = digestOf(request.sort, ...request.words);
  const token = request.token === undefined ? undefined : readToken(request.token, query);
  const { state: current, ageMs } = await vouchedState(dependencies, namespace, deadline);
  const kept = token === undefined ? undefined : dependencies.results.find(token);
  const state = kept?.state ?? current;
  const listed = { live: false, newest: newestOf(state, current) };
  const decisions = await dependencies.authorizer.forList(actor, namespace, listed, deadline);
  const access = digestOf(namespace, decisions.key);
  if (token !== undefined && !(token.state.equals(state.digest) && token.access.equals(access)))
    throw expired();
  const isVisible = visibilityOf(decisions, dependencies.managedOnly);
  const select = async (): Promise<PageResult> => {
    const positions = await selectPositions(state, request, isVisible);
    return { state, query, access, positions, canCreate: decisions.canCreate };
  };
  const result = kept ?? dependencies.results.same(state, { query, access }) ?? (await select());
  const page = cut(result, token?.offset ?? 0, request.limit);
  if (state !== current && hasLostAccess(page.shown, current.items, isVisible)) throw expired();
  const person = emailKey(actor.user.email);
  const next = page.end < result.positions.length ? dependencies.results.keep(person, result) : undefined;
  const plain = bodyOf(namespace, result, page.json, next && tokenOf(next, page.end));
  const body = createListBody(plain, dependencies.compress, () => undefined);
  return { body, from: { source: 'cache', ageMs } };
}

function readToken(text: string, query: Buffer): PageToken {
  const token = decodeToken(text);
  if (token === undefined)
    throw new ServiceError('invalidRequest', 'continue must be as the page before gave it');
  if (token.query.equals(query)) return token;
  throw new ServiceError('invalidRequest', 'q and sort must be those of the page that gave continue');
}

/** The same for a token of another person: whether theirs is kept is not shown. */
function expired(): ServiceError {
  return new ServiceError(
    'pageExpired',
    'The state that continue belongs to is gone; begin with the first page',
  );
}

/** The policy has to be as new as both of what is shown and what decides whether it still may be. */
function newestOf(...states: readonly NamespaceState[]): string | undefined {
  const revisions = states.flatMap(({ newest }) =>
    newest === undefined ? [] : [{ resourceVersion: newest }],
  );
  return newestItem(revisions)?.resourceVersion;
}

interface Cut {
  readonly shown: readonly ListItem[];
  /** Their summaries. */
  readonly json: readonly string[];
  /** The position of the next page. */
  readonly end: number;
}

function cut({ state, positions }: PageResult, begin: number, limit: number): Cut {
  if (begin > 0 && begin >= positions.length) throw expired();
  const [shown, json]: [ListItem[], string[]] = [[], []];
  let text = 0;
  for (const position of positions.subarray(begin, begin + limit)) {
    const item = state.items[position];
    if (item === undefined) continue;
    const summary = item.json;
    text += summary.length;
    if (json.length > 0 && text > MOST_TEXT) break;
    shown.push(item);
    json.push(summary);
  }
  return { shown, json, end: begin + shown.length };
}

function tokenOf({ id, state, query, access }: KeptResult, offset: number): string {
  return encodeToken({ id, offset, state: state.digest, query, access });
}

function bodyOf(
  namespace: string,
  { positions, canCreate }: PageResult,
  json: readonly string[],
  token: string | undefined,
): Buffer {
  const rest = JSON.stringify({ canCreate, total: positions.length, continue: token });
  return Buffer.from(
    `{"namespace":${JSON.stringify(namespace)},"secrets":[${json.join(',')}],${rest.slice(1)}`,
  );
}
