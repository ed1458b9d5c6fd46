import { type Authenticate } from '../access/authenticator.ts';
import { ADMINISTRATOR } from '../access/user.ts';
import { type FaultBook } from '../faults/fault-book.ts';
import { type RequestLog } from '../faults/request-log.ts';
import { parseFaultRule, RuleError } from '../faults/rule.ts';
import { badRequest, methodNotAllowed, routeNotFound, unauthorized } from '../api/status.ts';
import { parseBody } from '../kinds/decode.ts';
import { jsonResponse, type ApiResponse } from './api-response.ts';
import { readBody } from './body.ts';
import { type Incoming } from './exchange.ts';

export interface DevApiParts {
  readonly authenticate: Authenticate;
  readonly faults: FaultBook;
  readonly requests: RequestLog;
  /** What else it does. */
  readonly actions: Readonly<Record<'compact' | 'bookmark' | 'goAway' | 'closeIdle', () => void>>;
}

type Route = (url: URL, incoming: Incoming) => ApiResponse | Promise<ApiResponse>;

export const DEV_PREFIX = '/_dev/';

/** The control of the development cluster over HTTP. It is no part of the Kubernetes API, and the administrator's. */
export function createDevApi({ authenticate, faults, requests, actions }: DevApiParts) {
  const done = (act: () => void) => () => {
    act();
    return jsonResponse(200, {});
  };
  const routes = new Map<string, Route>([
    [
      'GET faults',
      () =>
        jsonResponse(
          200,
          faults.rules.map(({ id, rule, hits }) => ({ id, hits, rule })),
        ),
    ],
    [
      'POST faults',
      async (_url, incoming) => {
        const rule = parseFaultRule(parseBody(await readBody(incoming)));
        return jsonResponse(201, { id: faults.add(rule).id });
      },
    ],
    ['DELETE faults', done(faults.clear.bind(faults))],
    [
      'GET requests',
      (url) => {
        const after = Number(url.searchParams.get('after') ?? '0');
        if (!Number.isSafeInteger(after)) throw badRequest('after must be a sequence number');
        return jsonResponse(
          200,
          requests.list(after).map((entry) => ({ ...entry })),
        );
      },
    ],
    ['DELETE requests', done(requests.clear.bind(requests))],
    ['POST compact', done(actions.compact)],
    ['POST bookmark', done(actions.bookmark)],
    ['POST go-away', done(actions.goAway)],
    ['POST close-idle', done(actions.closeIdle)],
  ]);
  return async (url: URL, incoming: Incoming): Promise<ApiResponse> => {
    if (authenticate(incoming.headers) !== ADMINISTRATOR) throw unauthorized();
    const [what = '', id] = url.pathname.slice(DEV_PREFIX.length).split('/');
    if (what === 'faults' && id !== undefined) return removeFault(faults, id, incoming.method);
    const route = routes.get(`${incoming.method ?? ''} ${what}`);
    if (route === undefined) throw routeNotFound();
    try {
      return await route(url, incoming);
    } catch (error) {
      throw error instanceof RuleError ? badRequest(error.message) : error;
    }
  };
}

function removeFault(faults: FaultBook, id: string, method: string | undefined): ApiResponse {
  if (method !== 'DELETE') throw methodNotAllowed();
  if (!faults.remove(id)) throw routeNotFound();
  return jsonResponse(200, {});
}
