import { hash, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import type { SessionUser } from '../../access/actor.ts';
import { isIdentity } from '../../contract/email.ts';
import type { IsRevoked } from './revocations.ts';
import { VerifiedTokens, type TokenBound } from './verified-tokens.ts';

const ISSUER = 'service';
const ALGORITHM = 'HS256';

/** Three base64url parts; an HS256 signature has 32 bytes, which is 43 characters. */
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/;

/** What a token is for. Each use has keys of its own, so none is accepted as another. */
export interface TokenUse {
  readonly typ: string;
  /** Undefined for cookies, by the contract. */
  readonly audience?: string;
}

export const COOKIE_USE: TokenUse = { typ: 'JWT' };

/** Signs the session token of `user`, valid from `nowMs` for `lifetimeMs` (both cut to whole seconds). */
export function signSessionToken(
  user: SessionUser,
  key: Uint8Array,
  nowMs: number,
  lifetimeMs: number,
): Promise<string> {
  return sessionJwt(user, nowMs, lifetimeMs).sign(key);
}

/** What {@link signSessionToken} signs, for another use. */
export function sessionJwt(
  user: SessionUser,
  nowMs: number,
  lifetimeMs: number,
  { typ, audience }: TokenUse = COOKIE_USE,
): SignJWT {
  const issuedAt = Math.floor(nowMs / 1_000);
  const token = new SignJWT({ email: user.email, name: user.name, groups: [...user.groups] })
    .setProtectedHeader({ alg: ALGORITHM, typ })
    .setIssuer(ISSUER)
    .setSubject(user.sub)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + Math.floor(lifetimeMs / 1_000));
  return audience === undefined ? token : token.setAudience(audience);
}

/** The content of a verified token, even if it has expired. */
export interface SessionClaims {
  readonly user: SessionUser;
  /** When it was issued, to the second. */
  readonly issuedMs: number;
  readonly validFromMs: number;
  readonly expiresMs: number;
}

/**
 * Verifies a session token by every rule of the contract ("Session JWT"). A token that breaks one is no session, and
 * which rule it broke is not reported. {@link isValidAt} checks the expiry.
 */
async function verifySessionToken(
  token: string,
  key: Uint8Array,
  nowMs: number,
  { typ, audience }: TokenUse,
): Promise<SessionClaims | undefined> {
  if (!TOKEN.test(token) || !isCanonical(token)) return undefined;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      ...(audience === undefined ? {} : { typ, audience }),
      currentDate: new Date(nowMs),
      clockTolerance: 0,
      requiredClaims: ['sub', 'email', 'iat', 'exp'],
    });
    return sessionFrom(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Not if the session has expired or was issued in the future. */
function isValidAt({ validFromMs, expiresMs }: SessionClaims, nowMs: number): boolean {
  return validFromMs <= nowMs && nowMs < expiresMs;
}

/** The last character of a signature has two unused bits: without this check, one token would have four spellings. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

const nonblank = z.string().refine((value) => value.trim() !== '');

/** Of a number, zod accepts no Infinity, which JSON can contain (`1e999`): a session that never expires. */
const SESSION_CLAIMS = z.object({
  sub: nonblank,
  email: nonblank.refine(isIdentity),
  name: z.string().optional(),
  groups: z.array(z.string()).default([]),
  iat: z.number(),
  exp: z.number(),
  nbf: z.number().optional(),
});

function sessionFrom(claims: unknown): SessionClaims | undefined {
  const { data } = SESSION_CLAIMS.safeParse(claims);
  if (data === undefined) return undefined;
  const { sub, email, name = email, groups, iat, exp, nbf = iat } = data;
  const user = { sub, email, name, groups };
  return { user, issuedMs: iat * 1_000, validFromMs: Math.max(iat, nbf) * 1_000, expiresMs: exp * 1_000 };
}

/** Compares in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

/** The hex SHA-256 of a token, valid or not. */
export function sessionIdOf(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Tokens of people in many groups have up to 43,000 characters, most about a thousand. */
const MAX_KNOWN: TokenBound = { tokens: 1_000, characters: 12_000_000 };

/**
 * Reads session tokens that were signed with one of the keys, and remembers those that it has verified. Expiry and
 * revocation are checked at each use.
 */
export function createSessionReader(
  keys: readonly Uint8Array[],
  isRevoked: IsRevoked = () => false,
  bound = MAX_KNOWN,
  use = COOKIE_USE,
) {
  const known = new VerifiedTokens<SessionClaims>(bound);
  /** @param id the {@link sessionIdOf} of the token, where it is known already */
  const claimsOf = async (token: string, nowMs: number, id = sessionIdOf(token)) => {
    const claims = known.get(id) ?? (await verifyByOne(token, keys, nowMs, use));
    if (claims === undefined) return undefined;
    const isValid = isValidAt(claims, nowMs);
    if (isValid) known.remember(id, claims, token.length);
    else known.forget(id);
    const { user, issuedMs } = claims;
    return isValid && !isRevoked({ email: user.email, issuedMs }) ? claims : undefined;
  };
  return {
    /** The claims of a token that is valid now. */
    claimsOf,
    read: async (token: string, nowMs: number) => (await claimsOf(token, nowMs))?.user,
  };
}

async function verifyByOne(
  token: string,
  keys: readonly Uint8Array[],
  nowMs: number,
  use: TokenUse,
): Promise<SessionClaims | undefined> {
  for (const key of keys) {
    const claims = await verifySessionToken(token, key, nowMs, use);
    if (claims !== undefined) return claims;
  }
  return undefined;
}
