import { isExpiryTime } from './expiry.ts';
import { bytesOfBase64, textOf } from './text.ts';
import { isObject } from './json-text.ts';
import type { TokenClaims } from './token-claims.ts';

/**
 * The claims of a token that is a compact JWS (RFC 7515, section 7.1; RFC 7519), without verifying it; undefined for any
 * other text. Not by a regular expression: V8 keeps the text of the last match in memory, and it may be a value.
 */
export function claimsOfJws(text: string): TokenClaims | undefined {
  const parts = text.split('.', 4);
  if (parts.length !== 3) return undefined;
  try {
    const decoded = parts.map((part) => bytesOfBase64(part.replaceAll('-', '+').replaceAll('_', '/')));
    const [header, claims] = decoded.slice(0, 2).map((bytes): unknown => JSON.parse(textOf(bytes) ?? ''));
    return isObject(header) && typeof header['alg'] === 'string' && isObject(claims) ? claims : undefined;
  } catch {
    return undefined; // Some other text with two dots.
  }
}

/** Milliseconds since 1970 of `exp`, which has whole seconds; undefined where it is no time that can be written. */
export function expiryOfClaims({ exp }: TokenClaims): number | undefined {
  const time = typeof exp === 'number' ? Math.floor(exp) * 1_000 : NaN;
  return isExpiryTime(time) ? time : undefined;
}
