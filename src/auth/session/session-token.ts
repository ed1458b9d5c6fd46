import { errors, jwtVerify, SignJWT } from 'jose';
import type { SessionUser } from '../../access/actor.ts';
import { isIdentity } from '../../contract/email.ts';

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
export interface SessionClaims {
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
export async function verifySessionToken(
  token: string,
  key: Uint8Array,
  nowMs: number,
): Promise<SessionClaims | undefined> {
  if (!TOKEN.test(token) || !isCanonical(token)) return undefined;
  const claims = await verifiedClaims(token, key, nowMs);
  return claims && sessionFrom(claims);
}

/** The user, unless the session has expired or was issued in the future. */
export function userAt(
  { user, validFromMs, expiresMs }: SessionClaims,
  nowMs: number,
): SessionUser | undefined {
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
