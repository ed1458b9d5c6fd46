import { serializeCookie } from '../../src/auth/session/cookies.ts';
import { createSessions } from '../../src/auth/session/sessions.ts';
import type { SessionUser } from '../../src/access/actor.ts';
import { TEST_SESSION_SECRET } from './service-process.ts';

/** People of the tests. */
export const ADMIN = person('admin@example.com', ['platform-admins']);
export const DEVELOPER_A = person('developer-a@example.com', ['team-a']);
export const DEVELOPER_B = person('developer-b@example.com', ['team-b']);
export const GUEST = person('guest@example.com', []);

export function person(email: string, groups: readonly string[]): SessionUser {
  return { sub: `sub-${email}`, email, name: email, groups };
}

/** An answer of the API, its JSON parsed as it is (keys such as `__proto__` are own properties). */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export interface ApiRequest {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: NonNullable<RequestInit['body']>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiClient {
  get(path: string, request?: ApiRequest): Promise<ApiAnswer>;
  post(path: string, json: unknown, request?: ApiRequest): Promise<ApiAnswer>;
  put(path: string, json: unknown, request?: ApiRequest): Promise<ApiAnswer>;
  patch(path: string, json: unknown, request?: ApiRequest): Promise<ApiAnswer>;
  delete(path: string, request?: ApiRequest): Promise<ApiAnswer>;
  send(method: string, path: string, request?: ApiRequest): Promise<ApiAnswer>;
}

/** A `Cookie` header with a session that a test service takes. */
export async function sessionCookie(
  user: SessionUser,
  secret = TEST_SESSION_SECRET,
  options: { readonly lifetimeMs?: number } = {},
): Promise<string> {
  const sessions = createSessions({ sessionSecret: secret, now: Date.now, secureCookies: false });
  const issued = await sessions.issue(user, undefined, options.lifetimeMs);
  if (issued.outcome !== 'issued') throw new Error(`no session: ${issued.outcome}`);
  return issued.cookies.map((cookie) => serializeCookie(cookie).split(';')[0] ?? '').join('; ');
}

/** A client that is signed in as `user`, or not at all. */
export async function clientFor(url: string, user?: SessionUser): Promise<ApiClient> {
  return clientWith(url, user === undefined ? {} : { cookie: await sessionCookie(user) });
}

/** A client that sends the session that it is given, such as one of a real sign-in, or a token. */
export function clientWith(
  url: string,
  credentials: { readonly cookie?: string; readonly authorization?: string },
): ApiClient {
  const send: ApiClient['send'] = async (method, path, { json, body, headers } = {}) => {
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...credentials, ...type, ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
  return {
    send,
    get: (path, request) => send('GET', path, request),
    post: (path, json, request) => send('POST', path, { json, ...request }),
    put: (path, json, request) => send('PUT', path, { json, ...request }),
    patch: (path, json, request) => send('PATCH', path, { json, ...request }),
    delete: (path, request) => send('DELETE', path, request),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a redirect or a page
  }
}
