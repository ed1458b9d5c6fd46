import type { SessionUser } from '../../access/actor.ts';
import type { IsRevoked } from './revocations.ts';
import { expiredCookie, type SetCookie } from './cookies.ts';
import { readSigningKey, type SigningKeyProblem } from './signing-key.ts';
import {
  joinSessionToken,
  SESSION_COOKIE,
  sessionTokenCookies,
  staleSessionCookies,
} from './session-cookies.ts';
import { createSessionReader, sessionIdOf, signSessionToken } from './session-token.ts';

export const SESSION_LIFETIME_MS = 8 * 60 * 60 * 1_000;

export type IssuedSession =
  | {
      readonly outcome: 'issued';
      readonly cookies: readonly SetCookie[];
      /** How many of the cookies hold the session. The others delete cookies of an earlier session. */
      readonly parts: number;
    }
  /** The session does not fit the cookies that a browser and a server take: its size is over the limit. */
  | { readonly outcome: 'tooLarge'; readonly bytes: number; readonly limit: number }
  | { readonly outcome: 'invalidKey'; readonly problem: SigningKeyProblem };

/** The session of a request, and who it is. */
export interface PresentedSession {
  /** Undefined without a valid session. */
  readonly user: SessionUser | undefined;
  /** The hex SHA-256 of the session's token, valid or not; undefined when there is none. */
  readonly sessionId: string | undefined;
}

/** Stateless sessions: the cookie contains everything, and the signing key alone decides. */
export interface Sessions {
  /** What is wrong with the signing key; undefined when it can be used. */
  keyProblem(): SigningKeyProblem | undefined;
  /** Makes a session. `present` are the request's cookies, so that those of an earlier session are deleted. */
  issue(
    user: SessionUser,
    options?: { readonly present?: ReadonlyMap<string, string>; readonly lifetimeMs?: number },
  ): Promise<IssuedSession>;
  /** Joins and hashes the token once, for whatever needs the user or the id of a request. */
  identify(cookies: ReadonlyMap<string, string>): Promise<PresentedSession>;
  /** The signed-in user; undefined for every session that is not valid, whatever the reason. */
  read(cookies: ReadonlyMap<string, string>): Promise<SessionUser | undefined>;
  /** Cookies that end the session. */
  clear(present: ReadonlyMap<string, string>): readonly SetCookie[];
}

export interface SessionsOptions {
  readonly sessionSecret: string | undefined;
  /** A former key, which verifies sessions and never signs them. An invalid one counts as none. */
  readonly previousSecret?: string | undefined;
  readonly isRevoked?: IsRevoked | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Adds the Secure attribute; true in production. */
  readonly secureCookies: boolean;
  /** Writes long sessions in their compact form even if they would fit otherwise. */
  readonly compact?: boolean;
}

export function createSessions({
  sessionSecret,
  previousSecret,
  isRevoked,
  now,
  secureCookies,
  compact = false,
}: SessionsOptions): Sessions {
  const signing = readSigningKey(sessionSecret);
  const previous = readSigningKey(previousSecret);
  const reader =
    signing.problem === undefined
      ? createSessionReader(
          previous.key === undefined ? [signing.key] : [signing.key, previous.key],
          isRevoked,
        )
      : undefined;
  const none: ReadonlyMap<string, string> = new Map();
  const identify = async (cookies: ReadonlyMap<string, string>): Promise<PresentedSession> => {
    const token = joinSessionToken(cookies);
    if (token === undefined) return { user: undefined, sessionId: undefined };
    const sessionId = sessionIdOf(token);
    return { user: await reader?.read(token, now(), sessionId), sessionId };
  };
  return {
    identify,
    keyProblem: () => signing.problem,
    issue: async (user, { present = none, lifetimeMs = SESSION_LIFETIME_MS } = {}) => {
      if (signing.problem !== undefined) return { outcome: 'invalidKey', problem: signing.problem };
      const token = await signSessionToken(user, signing.key, now(), lifetimeMs);
      const maxAgeSeconds = Math.floor(lifetimeMs / 1_000);
      const split = sessionTokenCookies(token, { maxAgeSeconds, secure: secureCookies, compact });
      if (split.tooLarge !== undefined) {
        return { outcome: 'tooLarge', bytes: split.tooLarge, limit: split.limit };
      }
      const stale = staleSessionCookies(present, split.cookies, secureCookies);
      return { outcome: 'issued', cookies: [...split.cookies, ...stale], parts: split.cookies.length };
    },
    read: async (cookies) => (await identify(cookies)).user,
    clear: (present) => {
      const first = expiredCookie(SESSION_COOKIE, secureCookies);
      return [first, ...staleSessionCookies(present, [first], secureCookies)];
    },
  };
}
