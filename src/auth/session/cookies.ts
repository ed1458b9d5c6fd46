import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The cookies of a request, by name. */
export type Cookies = ReadonlyMap<string, string>;

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

/**
 * RFC 6265, section 4.1.1: a token, and a value without spaces, quotes, commas, semicolons, backslashes. Only spaces and
 * tabs may be around a name: `trim` would take off others, and with them what hid a prefix such as `__Host-` from the browser.
 */
const COOKIE_NAME = /^[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*$/;
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/**
 * Parses a Cookie header strictly: a malformed value counts as empty. So does that of a name with two different values: a
 * sibling host can set a second cookie of the same name, and the order does not show which one is ours.
 */
export function parseCookies(header: string | undefined): Cookies {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (separator < 1) continue;
    const name = COOKIE_NAME.exec(pair.slice(0, separator))?.[1];
    const value = pair.slice(separator + 1).trim();
    if (name === undefined) continue;
    const isUsable = COOKIE_VALUE.test(value) && (cookies.get(name) ?? value) === value;
    cookies.set(name, isUsable ? value : '');
  }
  return cookies;
}

/** The session cookie of the contract; further parts are `service_session.1` and so on. */
export const SESSION_COOKIE = 'service_session';

/**
 * Three cookies are about 12 KB. Node refuses requests with more than 16 KiB of headers, and other cookies and headers
 * need some of that, so more parts would lock the user out.
 */
export const MAX_SESSION_PARTS = 3;

const PART_NAMES: readonly string[] = Array.from({ length: MAX_SESSION_PARTS }, (_, index) =>
  index === 0 ? SESSION_COOKIE : `${SESSION_COOKIE}.${index}`,
);

/**
 * The size from which a session is written in its compact form, if that is enabled. The other headers of the callback's
 * response take up to 1,500 bytes, and proxies accept 4 KiB together.
 */
const COMPACT_OVER_BYTES = 2_048;

/** `<count>:<first part>`. A whole token never has a colon as its second character. */
const SPLIT_TOKEN = /^([2-9]):(.*)$/;

type CookieForm = Pick<SetCookie, 'maxAgeSeconds' | 'secure'>;

/**
 * The cookies that hold a session token; long ones in their compact form if `compact` is set. Without it the token is
 * unchanged as long as it fits, so that replicas of an earlier version can read it. If it does not fit, the compact form
 * is used before the session is refused.
 */
export function sessionTokenCookies(token: string, form: CookieForm, compact: boolean) {
  const plain = splitSessionToken(token, form);
  const isShort = plain.tooLarge === undefined && !(compact && token.length > COMPACT_OVER_BYTES);
  const short = isShort ? undefined : compactToken(token);
  if (short === undefined || short.length >= token.length) return plain;
  const split = splitSessionToken(short, form);
  return split.tooLarge === undefined ? split : plain;
}

/**
 * Splits a text into as many cookies as it needs, none larger than browsers support. A single cookie holds the text
 * itself. Of several, the first begins with their number, so that cookies of an earlier, longer session are never read
 * as parts of this one. Of a token that is too large, the bytes that it would take as one cookie, and those of the longest
 * that fits.
 */
export function splitSessionToken(token: string, form: CookieForm) {
  const cookie = (index: number, value: string): SetCookie => {
    return { ...form, name: PART_NAMES[index] ?? SESSION_COOKIE, value };
  };
  const whole = cookie(0, token);
  const bytes = serializeCookie(whole).length; // All characters are ASCII.
  if (bytes <= MAX_COOKIE_BYTES) return { cookies: [whole] };

  const overhead = serializeCookie(cookie(MAX_SESSION_PARTS - 1, '')).length + '9:'.length;
  const partBytes = MAX_COOKIE_BYTES - overhead;
  const count = Math.ceil(token.length / partBytes);
  if (count > MAX_SESSION_PARTS) {
    return { tooLarge: bytes, limit: bytes - token.length + MAX_SESSION_PARTS * partBytes };
  }
  const cookies = Array.from({ length: count }, (_, index) => {
    const part = token.slice(index * partBytes, (index + 1) * partBytes);
    return cookie(index, index === 0 ? `${count}:${part}` : part);
  });
  return { cookies };
}

/** The token in the cookies; undefined if there is none, a part is missing, or it cannot be expanded. */
export function joinSessionToken(cookies: Cookies): string | undefined {
  const text = joinParts(cookies);
  return text?.startsWith(PREFIX) ? expandToken(text) : text;
}

function joinParts(cookies: Cookies): string | undefined {
  const first = cookies.get(SESSION_COOKIE);
  const split = SPLIT_TOKEN.exec(first ?? '');
  if (split === null) return first === '' ? undefined : first;
  const count = Number(split[1]);
  if (count > MAX_SESSION_PARTS) return undefined;
  const rest = PART_NAMES.slice(1, count).map((name) => cookies.get(name));
  return rest.includes(undefined) ? undefined : [split[2], ...rest].join('');
}

/** Whether a Cookie header contains the session cookie, well-formed or not. */
export function presentsSession(header = ''): boolean {
  return header.split(';').some((pair) => /^[ \t]*service_session=./.test(pair));
}

/** Deletes the session cookies in `present` that are not in `kept`. */
export function staleSessionCookies(present: Cookies, kept: readonly SetCookie[], secure: boolean) {
  return [...present.keys()]
    .filter((name) => /^service_session(\.[0-9]{1,2})?$/.test(name))
    .filter((name) => !kept.some((cookie) => cookie.name === name))
    .map((name) => expiredCookie(name, secure));
}

/** No token contains a colon, and the number of a split one (`2:`) is not a letter. */
const PREFIX = 'z:';
const COMPACT = /^z:([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** The header of every token of this service: `{"alg":"HS256","typ":"JWT"}`. */
const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';

/**
 * The limit of an expanded payload: anyone can send a compact token, and it is expanded before its signature is
 * checked.
 */
export const MAX_PAYLOAD_BYTES = 32_768;

/**
 * The compact form of a token: the payload is compressed, the signature is unchanged. Expanding it returns exactly the
 * same token, and only that is verified. So this is another encoding of a JWT, not another kind of token
 * (docs/adr/0007-compact-session-cookies.md). Undefined for a token that cannot be written in it.
 */
export function compactToken(token: string): string | undefined {
  const [header, payload = '', signature = ''] = token.split('.');
  if (header !== HEADER) return undefined;
  const bytes = Buffer.from(payload, 'base64url');
  if (bytes.byteLength > MAX_PAYLOAD_BYTES) return undefined;
  return `${PREFIX}${deflateRawSync(bytes, { level: 9 }).toString('base64url')}.${signature}`;
}

/** The token of a compact form; undefined if it is not one. */
export function expandToken(text: string): string | undefined {
  const [, compressed = '', signature = ''] = COMPACT.exec(text) ?? [];
  if (compressed === '') return undefined;
  try {
    const payload = inflateRawSync(Buffer.from(compressed, 'base64url'), {
      maxOutputLength: MAX_PAYLOAD_BYTES,
    });
    return `${HEADER}.${payload.toString('base64url')}.${signature}`;
  } catch {
    return undefined; // Malformed, truncated, or longer than the limit.
  }
}
