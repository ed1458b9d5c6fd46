interface JarCookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
}

/** As much of a browser's cookie jar as a login needs: host, path, Secure, expiry. Ports share cookies, as in browsers. */
export interface CookieJar {
  /** Takes the cookies that a response to `url` sets or deletes. */
  store(url: URL, setCookies: readonly string[]): void;
  /** The Cookie header for a request to `url`; empty when there are none. */
  header(url: URL): string;
  /** All cookies that would be sent to `url`. */
  cookies(url: URL): ReadonlyMap<string, string>;
}

export function createCookieJar(now: () => number = Date.now): CookieJar {
  const jar = new Map<string, JarCookie>();
  const matching = (url: URL): readonly JarCookie[] =>
    [...jar.values()].filter(
      ({ host, path, secure }) =>
        host === url.hostname && pathMatches(url.pathname, path) && (!secure || url.protocol === 'https:'),
    );
  return {
    store: (url, setCookies) => {
      for (const line of setCookies) {
        const parsed = parseSetCookie(line, url, now());
        if (parsed === undefined) continue;
        const key = `${parsed.cookie.host} ${parsed.cookie.path} ${parsed.cookie.name}`;
        jar.delete(key);
        if (!parsed.expired) jar.set(key, parsed.cookie);
      }
    },
    header: (url) =>
      matching(url)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    cookies: (url) => new Map(matching(url).map(({ name, value }) => [name, value])),
  };
}

/** RFC 6265, section 5.1.4. */
function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (requestPath === cookiePath) return true;
  return requestPath.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}

function parseSetCookie(line: string, url: URL, now: number) {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const separator = pair.indexOf('=');
  if (separator < 1) return undefined;
  const attribute = (wanted: string): string | undefined => {
    const found = attributes.find((part) => part.toLowerCase().split('=')[0] === wanted);
    return found?.slice(wanted.length + 1);
  };
  const maxAge = attribute('max-age');
  const expires = attribute('expires');
  const expired = maxAge === undefined ? Date.parse(expires ?? '') <= now : Number(maxAge) <= 0;
  const path = attribute('path') ?? '/';
  const cookie = {
    name: pair.slice(0, separator),
    value: pair.slice(separator + 1),
    host: url.hostname,
    path: path.startsWith('/') ? path : '/',
    secure: attribute('secure') !== undefined,
  };
  return { cookie, expired };
}
