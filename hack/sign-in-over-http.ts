import { createCookieJar, type CookieJar } from './sign-in-cookie-jar.ts';

const MAX_STEPS = 20;
const STEP_TIMEOUT_MS = 10_000;

export interface SignInRequest {
  /** Base URL of the service. */
  readonly serviceUrl: string;
  readonly account: string;
  readonly password: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** The login did not end with a session; the message says where it stopped, without query strings. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

/**
 * Signs in as a browser would: follows the redirects, fills in the provider's login form, and keeps cookies.
 * @returns the Cookie header value that carries the session
 * @throws {SignInFailed} when the login ends anywhere but at a session
 */
export async function signInOverHttp({ serviceUrl, ...login }: SignInRequest): Promise<string> {
  const jar = createCookieJar();
  const service = new URL(serviceUrl);
  const end = await followLogin({
    ...login,
    jar,
    start: new URL('/api/auth/login', service),
    isEnd: (url) =>
      url.origin === service.origin &&
      (sessionHeader(jar, service) !== undefined || url.pathname === '/login'),
  });
  const session = sessionHeader(jar, service);
  if (session === undefined) throw failedAtLogin(end);
  return session;
}

export interface LoginPath {
  readonly start: URL;
  readonly account: string;
  readonly password: string;
  /** Where to stop: an address that a redirect leads to, and that is not visited. */
  readonly isEnd: (url: URL) => boolean;
  readonly jar?: CookieJar;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Follows a login from redirect to redirect, and through the provider's form.
 * @returns the address at which it stopped
 * @throws {SignInFailed} when it gets nowhere
 */
export async function followLogin(path: LoginPath): Promise<URL> {
  const { start, account, password, isEnd, jar = createCookieJar(), fetch = globalThis.fetch } = path;
  let url = start;
  let form: URLSearchParams | undefined;
  let formsSent = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const response = await send(fetch, jar, url, form);
    form = undefined;
    const location = response.headers.get('location');
    if (location !== null && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      url = new URL(location, url);
      if (isEnd(url)) return url;
      continue;
    }
    const page = await response.text();
    const action = formActionIn(page);
    if (!response.ok || action === undefined) throw unexpected(url, response.status);
    if (formsSent > 0) throw new SignInFailed('The provider did not accept the account and password');
    formsSent += 1;
    url = new URL(action.replaceAll('&amp;', '&'), url);
    form = new URLSearchParams({ prompt: 'login', login: account, password });
  }
  throw new SignInFailed('The login does not come to an end');
}

/** Where the first form of a page that says so is sent. */
function formActionIn(page: string): string | undefined {
  const tags = page
    .split(/<form/i)
    .slice(1)
    .map((rest) => rest.split('>', 1)[0] ?? '');
  return tags.map((tag) => /\baction="([^"]*)"/i.exec(tag)?.[1]).find((action) => action !== undefined);
}

async function send(fetch: typeof globalThis.fetch, jar: CookieJar, url: URL, form?: URLSearchParams) {
  const response = await fetch(url, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { cookie: jar.header(url), accept: 'text/html,application/json' },
    signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
    ...(form === undefined ? {} : { body: form }),
  });
  jar.store(url, response.headers.getSetCookie());
  return response;
}

function sessionHeader(jar: CookieJar, service: URL): string | undefined {
  const session = [...jar.cookies(service)].filter(([name]) => /^service_session(\.[0-9]+)?$/.test(name));
  return session.some(([name]) => name === 'service_session')
    ? session.map(([name, value]) => `${name}=${value}`).join('; ')
    : undefined;
}

function failedAtLogin(url: URL): SignInFailed {
  const code = url.searchParams.get('idp_error');
  return new SignInFailed(`The service refused the login${code === null ? '' : ` (${code})`}`);
}

function unexpected(url: URL, status: number): SignInFailed {
  return new SignInFailed(`${url.origin}${url.pathname} answered ${status} where a login page was expected`);
}
