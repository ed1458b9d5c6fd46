import { isObject } from './json-text.ts';

/** The claims of a token: any JSON. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** The name of a claim, or its JSON Pointer (RFC 6901), and the texts of which it must be one. */
export type WantedClaim = readonly [claim: string, texts: readonly string[]];

/** As settings and policies write them. */
export type WrittenClaims = Readonly<Record<string, string | readonly string[]>>;

/** Each request of a machine follows them: one of a mebibyte takes tens of milliseconds. */
const MAX_PATH_CHARACTERS = 256;

export const CLAIMS_RULE = `must be an object of claims, or JSON Pointers, of at most ${MAX_PATH_CHARACTERS} characters, each with a text or a list of texts`;

export function wantedClaims(written: WrittenClaims): readonly WantedClaim[] {
  return Object.entries(written).map(([claim, texts]) => [
    claim,
    typeof texts === 'string' ? [texts] : texts,
  ]);
}

/** Whether the value is an object of at least one claim, each with a text or a list of texts. */
export function isWantedClaims(value: unknown): value is WrittenClaims {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([claim, texts]) => isClaimPath(claim) && (isText(texts) || isListOf(texts, isText)))
  );
}

/** A name, or a JSON Pointer: `~` is only in `~0` and `~1` there. */
function isClaimPath(claim: string): boolean {
  if (claim === '' || claim.length > MAX_PATH_CHARACTERS) return false;
  return !claim.startsWith('/') || !/~(?![01])/.test(claim);
}

/** Whether each claim is one of its texts. A claim that is a list, or a number, matches no text. */
export function claimsMatch(claims: TokenClaims, wanted: readonly WantedClaim[]): boolean {
  return wanted.every(([claim, texts]) => {
    const value = claimAt(claims, claim);
    return typeof value === 'string' && texts.includes(value);
  });
}

/** A claim by its name or JSON Pointer. Only own members are read. Those of a list are its elements, and its length, which is no text. */
export function claimAt(claims: TokenClaims, claim: string): unknown {
  if (!claim.startsWith('/')) return Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  let current: unknown = claims;
  for (const segment of claim.slice(1).split('/')) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return current;
}

export function isListOf<Entry>(
  value: unknown,
  isEntry: (entry: unknown) => entry is Entry,
): value is readonly Entry[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEntry);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
