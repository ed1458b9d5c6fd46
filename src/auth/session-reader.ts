import { hash } from 'node:crypto';
import type { SessionUser } from '../access/actor.ts';
import { userAt, verifySessionToken, type SessionClaims } from './session-token.ts';

/** Reads session tokens of one signing key. */
export interface SessionReader {
  read(token: string, nowMs: number): Promise<SessionUser | undefined>;
}

/** A session has 12 KB at most, most have one; the rest is verified again, which is slower and nothing else. */
const MAX_KNOWN = 1_000;

/**
 * Remembers tokens that were found genuine: the signature of the very same text under the very same key cannot
 * become another, and a browser sends it with each request. Whether the session holds is judged at each use.
 * Tokens themselves are not kept, only their hash; forged ones leave no trace.
 */
export function createSessionReader(key: Uint8Array, maxKnown = MAX_KNOWN): SessionReader {
  /** Longest unused first. */
  const known = new Map<string, SessionClaims>();
  const remember = (name: string, claims: SessionClaims): void => {
    known.delete(name);
    known.set(name, claims);
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) return;
      known.delete(oldest);
    }
  };
  return {
    async read(token, nowMs) {
      const name = hash('sha256', token, 'base64');
      const claims = known.get(name) ?? (await verifySessionToken(token, key, nowMs));
      if (claims === undefined) return undefined;
      const user = userAt(claims, nowMs);
      if (user === undefined) known.delete(name);
      else remember(name, claims);
      return user;
    },
  };
}
