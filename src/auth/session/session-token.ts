import { hash, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTVerifyOptions } from 'jose';
import * as z from 'zod';
import type { SessionUser } from '../../access/actor.ts';
import { isIdentity } from '../../contract/email.ts';
import type { IsRevoked } from './revocations.ts';

const ISSUER = 'service';
const ALGORITHM = 'HS256';

/**
 * Three base64url parts. An HS256 signature has 32 bytes, which is 43 characters. The last has two unused bits, which
 * must be zero: otherwise one token would have four spellings.
 */
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The `typ` of a token for a terminal. Only these have an audience; those of cookies have none, by the contract. */
export const TERMINAL_TYPE = 'at+jwt';

/** Each use has keys of its own, so no token is accepted as another. */
interface TokenScope {
  readonly issuedMs: number;
  readonly lifetimeMs: number;
  readonly audience?: string;
}

/** Signs the session token of `user`, valid from `issuedMs` for `lifetimeMs` (both cut to whole seconds). */
export function signSessionToken(
  user: SessionUser,
  key: Uint8Array,
  { issuedMs, lifetimeMs, audience }: TokenScope,
): Promise<string> {
  const issuedAt = Math.floor(issuedMs / 1_000);
  const token = new SignJWT({ email: user.email, name: user.name, groups: [...user.groups] })
    .setProtectedHeader({ alg: ALGORITHM, typ: audience === undefined ? 'JWT' : TERMINAL_TYPE })
    .setIssuer(ISSUER)
    .setSubject(user.sub)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + Math.floor(lifetimeMs / 1_000));
  if (audience !== undefined) token.setAudience(audience);
  return token.sign(key);
}

/** What a token must be to count. */
interface TokenRules {
  /** One of them signed it. */
  readonly keys: readonly Uint8Array[];
  readonly isRevoked?: IsRevoked | undefined;
  readonly audience?: string;
}

/** A session that a token holds. */
export interface TokenSession {
  readonly user: SessionUser;
  /** The hex SHA-256 of the token. */
  readonly sessionId: string;
  /** When it was issued, to the second. */
  readonly issuedMs: number;
  readonly expiresMs: number;
  /** Which of the keys signed it. */
  readonly keyIndex: number;
}

/**
 * Reads a session token by every rule of the contract ("Session JWT"). A token that breaks one is no session, and
 * which rule it broke is not reported.
 */
export async function readSessionToken(
  token: string,
  nowMs: number,
  { keys, isRevoked = () => false, audience }: TokenRules,
): Promise<TokenSession | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const rules: JWTVerifyOptions = {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    ...(audience === undefined ? {} : { typ: TERMINAL_TYPE, audience }),
    currentDate: new Date(nowMs),
    clockTolerance: 0,
    requiredClaims: ['sub', 'email', 'iat', 'exp'],
  };
  const verified = await firstAccepted(keys, async (key) => ({
    ...(await jwtVerify(token, key, rules)),
    keyIndex: keys.indexOf(key),
  }));
  const { data } = SESSION_CLAIMS.safeParse(verified?.payload);
  if (verified === undefined || data === undefined) return undefined;
  const { sub, email, name = email, groups, iat, exp } = data;
  const [issuedMs, expiresMs] = [iat * 1_000, exp * 1_000];
  if (issuedMs > nowMs || isRevoked({ email, issuedMs })) return undefined;
  const { keyIndex } = verified;
  return { user: { sub, email, name, groups }, sessionId: sessionIdOf(token), issuedMs, expiresMs, keyIndex };
}

/** What the first of the keys accepts; undefined where none does. */
export async function firstAccepted<Result>(
  keys: readonly Uint8Array[],
  verify: (key: Uint8Array) => Promise<Result>,
): Promise<Result | undefined> {
  for (const key of keys) {
    try {
      return await verify(key);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return undefined;
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
});

/** Compares in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

/** The hex SHA-256 of a token, valid or not. */
export const sessionIdOf = (token: string): string => hash('sha256', token, 'hex');
