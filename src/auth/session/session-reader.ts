import { hash } from 'node:crypto';
import type { SessionUser } from '../../access/actor.ts';
import { userAt, verifySessionToken, type SessionClaims } from './session-token.ts';

/** Reads session tokens that were signed with the current or the former key. */
export interface SessionReader {
  /** @param id the {@link sessionIdOf} of the token, where it is known already */
  read(token: string, nowMs: number, id?: string): Promise<SessionUser | undefined>;
}

/** The hex SHA-256 of a token, valid or not. */
export function sessionIdOf(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Whether a session was ended early. Checked at each use, since revocations change.
 * @throws {ServiceError} `unavailable` while the revocations cannot be read
 */
export type IsRevoked = (session: { readonly email: string; readonly issuedMs: number }) => boolean;

/** How much is remembered. Other tokens are verified again, which is only slower. */
export interface KnownSessions {
  readonly sessions: number;
  /** The characters of their tokens: up to 43,000 for people in many groups, about a thousand for most. */
  readonly characters: number;
}

const MAX_KNOWN: KnownSessions = { sessions: 1_000, characters: 12_000_000 };

/**
 * Remembers verified tokens: the signature of the same text under the same keys does not change, and a browser sends it
 * with each request. Expiry and revocation are checked at each use. Only hashes of tokens are kept; forged tokens are
 * not remembered.
 */
export function createSessionReader(
  keys: readonly Uint8Array[],
  isRevoked: IsRevoked = () => false,
  bound = MAX_KNOWN,
): SessionReader {
  /** The least recently used first. */
  const known = new Map<string, KnownSession>();
  let characters = 0;
  const forget = (id: string): void => {
    characters -= known.get(id)?.characters ?? 0;
    known.delete(id);
  };
  const remember = (id: string, session: KnownSession): void => {
    forget(id);
    known.set(id, session);
    characters += session.characters;
    for (const oldest of known.keys()) {
      if (known.size <= bound.sessions && characters <= bound.characters) return;
      forget(oldest);
    }
  };
  return {
    async read(token, nowMs, id = sessionIdOf(token)) {
      const claims = known.get(id)?.claims ?? (await verifyByOne(token, keys, nowMs));
      if (claims === undefined) return undefined;
      const user = userAt(claims, nowMs);
      if (user === undefined) forget(id);
      else remember(id, { claims, characters: token.length });
      return user !== undefined && isRevoked({ email: user.email, issuedMs: claims.issuedMs })
        ? undefined
        : user;
    },
  };
}

interface KnownSession {
  readonly claims: SessionClaims;
  readonly characters: number;
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
