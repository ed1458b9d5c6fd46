import { hash } from 'node:crypto';
import type { SessionUser } from '../../access/actor.ts';
import { userAt, verifySessionToken, type SessionClaims } from './session-token.ts';

/** Reads session tokens of the signing key, and of a former one. */
export interface SessionReader {
  read(token: string, nowMs: number): Promise<SessionUser | undefined>;
}

/**
 * Whether a session has been ended early. Asked at each use, since what it goes by changes.
 * @throws {ServiceError} `unavailable` while that is not known
 */
export type IsRevoked = (session: { readonly email: string; readonly issuedMs: number }) => boolean;

/** How much is remembered; the rest is verified again, which is slower and nothing else. */
export interface KnownSessions {
  readonly sessions: number;
  /** Of their tokens: those of people in many groups have up to 43,000, most have a thousand. */
  readonly characters: number;
}

const MAX_KNOWN: KnownSessions = { sessions: 1_000, characters: 12_000_000 };

/**
 * Remembers tokens that were found genuine: the signature of the very same text under the very same keys
 * cannot become another, and a browser sends it with each request. Whether the session holds is judged at each use.
 * Tokens themselves are not kept, only their hash; forged ones leave no trace.
 */
export function createSessionReader(
  keys: readonly Uint8Array[],
  isRevoked: IsRevoked = () => false,
  bound = MAX_KNOWN,
): SessionReader {
  /** Longest unused first. */
  const known = new Map<string, KnownSession>();
  let characters = 0;
  const forget = (name: string): void => {
    characters -= known.get(name)?.characters ?? 0;
    known.delete(name);
  };
  const remember = (name: string, session: KnownSession): void => {
    forget(name);
    known.set(name, session);
    characters += session.characters;
    for (const oldest of known.keys()) {
      if (known.size <= bound.sessions && characters <= bound.characters) return;
      forget(oldest);
    }
  };
  return {
    async read(token, nowMs) {
      const name = hash('sha256', token, 'base64');
      const claims = known.get(name)?.claims ?? (await verifyByOne(token, keys, nowMs));
      if (claims === undefined) return undefined;
      const user = userAt(claims, nowMs);
      if (user === undefined) forget(name);
      else remember(name, { claims, characters: token.length });
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
