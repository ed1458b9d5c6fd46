/** A cookie to set, as data. {@link serializeCookie} turns it into a header. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Seconds to live; 0 deletes the cookie. */
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
}

/** The size of a cookie that browsers must support, name and attributes included (RFC 6265, section 6.1). */
export const MAX_COOKIE_BYTES = 4_096;

/**
 * The value of a Set-Cookie header. Every cookie of the service is HttpOnly (no script needs it),
 * SameSite=Lax (the provider's redirect back must carry it) and valid for the whole host.
 */
export function serializeCookie({ name, value, maxAgeSeconds, secure }: SetCookie): string {
  const parts = [`${name}=${value}`, `Max-Age=${maxAgeSeconds}`];
  if (maxAgeSeconds === 0) parts.push('Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  parts.push('Path=/', 'HttpOnly', 'SameSite=Lax');
  if (secure) parts.push('Secure');
  return parts.join('; ');
}

/** A Set-Cookie that makes the browser forget `name`. */
export function expiredCookie(name: string, secure: boolean): SetCookie {
  return { name, value: '', maxAgeSeconds: 0, secure };
}

/** RFC 6265, section 4.1.1: a token, and a value without spaces, quotes, commas, semicolons, backslashes. */
const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/**
 * Parses a Cookie header strictly: malformed cookies are ignored. A name with two different values is ignored
 * altogether: a sibling host can set a second cookie of the same name, and the order does not show which one is ours.
 */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (separator < 1) continue;
    const name = pair.slice(0, separator).trim();
    const value = pair.slice(separator + 1).trim();
    if (!COOKIE_NAME.test(name) || !COOKIE_VALUE.test(value)) continue;
    const known = cookies.get(name);
    if (known !== undefined && known !== value) ambiguous.add(name);
    cookies.set(name, value);
  }
  for (const name of ambiguous) cookies.delete(name);
  return cookies;
}
