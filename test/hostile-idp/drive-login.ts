import { transactionCookieName } from '../../src/auth/login/transaction.ts';
import { createCookieJar, type CookieJar } from '../../hack/sign-in-cookie-jar.ts';
import type { HostileCase } from './hostile-case.ts';

/** How a login ended, as a browser sees it. */
export interface LoginEnd {
  readonly at: 'login' | 'callback' | 'home';
  readonly status: number;
  /** Where the service sent the browser last; undefined when it did not. */
  readonly location: string | undefined;
  readonly body: string;
  /** The Set-Cookie lines of the last answer. */
  readonly setCookies: readonly string[];
  /** What the browser would send to the service now. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Values that must not appear anywhere: state, nonce and verifier of this login. */
  readonly secrets: readonly string[];
}

const TIMEOUT_MS = 30_000;
/** The service is reached over plain http here. */
const nameOf = (part: Parameters<typeof transactionCookieName>[0]) => transactionCookieName(part, false);

/** Plays a case of the corpus as a browser: login, the provider's redirect, callback. */
export async function driveLogin(serviceUrl: string, hostile: HostileCase): Promise<LoginEnd> {
  const service = new URL(serviceUrl);
  const jar = createCookieJar();
  const start = await get(jar, new URL('/api/auth/login', service));
  const atProvider = start.headers.get('location');
  if (atProvider === null) return end('login', start, jar, service, []);
  const transaction = [...jar.cookies(service).values()];
  if (hostile.browser?.foreignCallback === true) {
    // Someone else begins a login and hands this browser the callback address.
    const stranger = createCookieJar();
    const theirs = await get(stranger, new URL('/api/auth/login', service));
    const back = await callbackAddress(new URL(theirs.headers.get('location') ?? ''));
    return end('callback', await get(jar, back), jar, service, transaction);
  }
  const back = await callbackAddress(new URL(atProvider));
  disturbCookies(jar, service, hostile);
  const before = jar.header(back);
  let last = await get(jar, back);
  if (hostile.browser?.replay === true) {
    await last.text();
    last = await fetch(back, { redirect: 'manual', headers: { cookie: before } });
  }
  const home = last.headers.get('location') === '/';
  return end(home ? 'home' : 'callback', last, jar, service, transaction);
}

/** The provider's answer to the authorization request is a redirect back to the service. */
async function callbackAddress(authorization: URL): Promise<URL> {
  const response = await fetch(authorization, { redirect: 'manual' });
  await response.body?.cancel();
  return new URL(response.headers.get('location') ?? '', authorization);
}

function disturbCookies(jar: CookieJar, service: URL, { browser }: HostileCase): void {
  const drop = (browser?.dropCookies ?? []).map((name) => `${nameOf(name)}=; Max-Age=0; Path=/`);
  const empty = (browser?.emptyCookies ?? []).map((name) => `${nameOf(name)}=; Path=/`);
  jar.store(service, [...drop, ...empty]);
}

async function get(jar: CookieJar, url: URL): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: jar.header(url) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  jar.store(url, response.headers.getSetCookie());
  return response;
}

async function end(
  at: LoginEnd['at'],
  response: Response,
  jar: CookieJar,
  service: URL,
  secrets: readonly string[],
): Promise<LoginEnd> {
  return {
    at,
    status: response.status,
    location: response.headers.get('location') ?? undefined,
    body: await response.text(),
    setCookies: response.headers.getSetCookie(),
    cookies: jar.cookies(service),
    secrets,
  };
}
