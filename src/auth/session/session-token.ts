import { hash } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { SessionUser } from '../../access/actor.ts';
import { isIdentity } from '../../contract/email.ts';
import type { IsRevoked } from './revocations.ts';
import { VerifiedTokens, type TokenBound } from './verified-tokens.ts';

const ISSUER = 'service';
const ALGORITHM = 'HS256';

/** Three base64url parts; an HS256 signature has 32 bytes, which is 43 characters. */
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/;

/** Signs the session token of `user`, valid from `nowMs` for `lifetimeMs` (both cut to whole seconds). */
export async function signSessionToken(
  user: SessionUser,
  key: Uint8Array,
  nowMs: number,
  lifetimeMs: number,
): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1_000);
  return new SignJWT({ email: user.email, name: user.name, groups: [...user.groups] })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setSubject(user.sub)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + Math.floor(lifetimeMs / 1_000))
    .sign(key);
}

/** The content of a verified token, even if it has expired. */
interface SessionClaims {
  readonly user: SessionUser;
  /** When it was issued, to the second. */
  readonly issuedMs: number;
  readonly validFromMs: number;
  readonly expiresMs: number;
}

/**
 * Verifies a session token by every rule of the contract ("Session JWT"). A token that breaks one is no session, and
 * which rule it broke is not reported. {@link userAt} checks the expiry.
 */
async function verifySessionToken(
  token: string,
  key: Uint8Array,
  nowMs: number,
): Promise<SessionClaims | undefined> {
  if (!TOKEN.test(token) || !isCanonical(token)) return undefined;
  const claims = await verifiedClaims(token, key, nowMs);
  return claims && sessionFrom(claims);
}

/** The user, unless the session has expired or was issued in the future. */
function userAt({ user, validFromMs, expiresMs }: SessionClaims, nowMs: number): SessionUser | undefined {
  return validFromMs <= nowMs && nowMs < expiresMs ? user : undefined;
}

/** The last character of a signature has two unused bits: without this check, one token would have four spellings. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

async function verifiedClaims(token: string, key: Uint8Array, nowMs: number) {
  try {
    const { payload } = await jwtVerify<Readonly<Record<string, unknown>>>(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      currentDate: new Date(nowMs),
      clockTolerance: 0,
      requiredClaims: ['sub', 'email', 'iat', 'exp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function sessionFrom(claims: Readonly<Record<string, unknown>>): SessionClaims | undefined {
  const { sub, email, iat, exp, nbf = iat } = claims;
  if (!isNonempty(sub) || !isNonempty(email) || !isIdentity(email)) return undefined;
  if (!isTime(iat) || !isTime(exp) || !isTime(nbf)) return undefined;
  const name = Object.hasOwn(claims, 'name') ? claims['name'] : email;
  const groups = Object.hasOwn(claims, 'groups') ? claims['groups'] : [];
  if (typeof name !== 'string' || !isStringArray(groups)) return undefined;
  const user = { sub, email, name, groups };
  return { user, issuedMs: iat * 1_000, validFromMs: Math.max(iat, nbf) * 1_000, expiresMs: exp * 1_000 };
}

function isNonempty(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** JSON can contain a number that becomes Infinity (`1e999`), a session that never expires. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
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
) {
  const known = new VerifiedTokens<SessionClaims>(bound);
  return {
    /** @param id the {@link sessionIdOf} of the token, where it is known already */
    async read(token: string, nowMs: number, id = sessionIdOf(token)): Promise<SessionUser | undefined> {
      const claims = known.get(id) ?? (await verifyByOne(token, keys, nowMs));
      if (claims === undefined) return undefined;
      const user = userAt(claims, nowMs);
      if (user === undefined) known.forget(id);
      else known.remember(id, claims, token.length);
      return user !== undefined && isRevoked({ email: user.email, issuedMs: claims.issuedMs })
        ? undefined
        : user;
    },
  };
}

async function verifyByOne(
  token: string,
  keys: readonly Uint8Array[],
  nowMs: number,
): Promise<SessionClaims | undefined> {
  for (const key of keys) {
    const claims = await verifySessionToken(token, key, nowMs);
    if (claims !== undefined) return claims;
  }
  return undefined;
}
