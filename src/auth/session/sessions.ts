import type { SessionUser } from '../../access/actor.ts';
import type { Settings } from '../../config/settings.ts';
import {
  expiredCookie,
  joinSessionToken,
  SESSION_COOKIE,
  sessionTokenCookies,
  staleSessionCookies,
  type Cookies,
  type SetCookie,
} from './cookies.ts';
import type { IsRevoked } from './revocations.ts';
import { readSessionToken, sessionIdOf, signSessionToken, type TokenSession } from './session-token.ts';

/** Why a signing key is refused, in one sentence that names the setting, never its value. */
export const SIGNING_KEY_ADVICE = {
  missing: 'Set SESSION_SECRET to a random key of at least 32 characters.',
  blank: 'SESSION_SECRET holds only whitespace; set it to a random key of at least 32 characters.',
  publiclyKnown: 'SESSION_SECRET is a publicly known example key; set it to a random one.',
  tooShort: 'SESSION_SECRET is too short; set it to a random key of at least 32 characters.',
} as const;

type SigningKey =
  | { readonly key: Uint8Array; readonly problem?: never }
  | { readonly key?: never; readonly problem: keyof typeof SIGNING_KEY_ADVICE };

const MIN_KEY_CHARACTERS = 32;

/**
 * Keys that earlier versions and their examples used as a development fallback. They are public, so anyone could sign
 * sessions with them. Several are long enough for the length rule, so those that {@link PLACEHOLDER} does not match are
 * listed here. Compared ignoring case and surrounding whitespace.
 */
const FORMER_FALLBACK_KEYS: readonly string[] = [
  'dev-only-secret-do-not-use-in-production',
  'dev-session-secret-do-not-use-in-production',
  'development-only-session-secret-not-for-production',
  'insecure-development-session-secret',
  'insecure-dev-secret-do-not-use-in-prod',
  'local-development-session-secret-only',
  'your-secret-key-at-least-32-characters-long',
  'your-super-secret-key-at-least-32-characters',
  'please-replace-with-a-random-32-character-key',
];

/** What example files contain instead of a key. No random key contains it. */
const PLACEHOLDER = /change[-_ ]?(me|this|it|in[-_ ]prod)/;

/**
 * Checks SESSION_SECRET. Called when auth is used, not at startup, so that building, starting and probing need no key.
 * With a refused key, no session can be made or read.
 */
export function readSigningKey(secret: string | undefined): SigningKey {
  if (secret === undefined || secret === '') return { problem: 'missing' };
  const trimmed = secret.trim();
  if (trimmed === '') return { problem: 'blank' };
  const folded = trimmed.toLowerCase();
  if (FORMER_FALLBACK_KEYS.includes(folded) || PLACEHOLDER.test(folded)) return { problem: 'publiclyKnown' };
  if (Array.from(trimmed).length < MIN_KEY_CHARACTERS) return { problem: 'tooShort' };
  return { key: new TextEncoder().encode(secret) };
}

/** The keys that verify what the service has signed; the first signs. There are none while SESSION_SECRET is refused. */
export function readSigningKeys(settings: KeySettings): readonly Uint8Array[] {
  const { key } = readSigningKey(settings.sessionSecret);
  const former = readSigningKey(settings.previousSessionSecret).key;
  return key === undefined ? [] : [key, former].filter((one) => one !== undefined);
}

export const SESSION_LIFETIME_MS = 8 * 60 * 60 * 1_000;

/** The session of a request, and who it is. The times, and which key signed it, are those of a valid session. */
export interface PresentedSession extends Partial<Omit<TokenSession, 'user' | 'sessionId'>> {
  /** Undefined without a valid session. */
  readonly user: SessionUser | undefined;
  /** The hex SHA-256 of the session's token, valid or not; undefined when there is none. */
  readonly sessionId: string | undefined;
}

/** The settings of the keys. A former key verifies sessions and never signs them; an invalid one counts as none. */
export type KeySettings = Pick<Settings['auth'], 'sessionSecret'> &
  Partial<Pick<Settings['auth'], 'previousSessionSecret'>>;

interface SessionsOptions extends KeySettings, Partial<Pick<Settings['auth'], 'compactSessions'>> {
  readonly isRevoked?: IsRevoked | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Adds the Secure attribute; true in production. */
  readonly secureCookies: boolean;
}

/** Stateless sessions: the cookie contains everything, and the signing key alone decides. */
export type Sessions = ReturnType<typeof createSessions>;

export type IssuedSession = Awaited<ReturnType<Sessions['issue']>>;

export function createSessions(options: SessionsOptions) {
  const { isRevoked, now, secureCookies: secure, compactSessions = false } = options;
  const signing = readSigningKey(options.sessionSecret);
  const keys = readSigningKeys(options);
  const identify = async (cookies: Cookies): Promise<PresentedSession> => {
    const token = joinSessionToken(cookies);
    if (token === undefined) return { user: undefined, sessionId: undefined };
    const session = await readSessionToken(token, now(), { keys, isRevoked });
    return session ?? { user: undefined, sessionId: sessionIdOf(token) };
  };
  return {
    /** Joins and hashes the token once, for whatever needs the user or the id of a request. */
    identify,
    /** What is wrong with the signing key; undefined when it can be used. */
    keyProblem: () => signing.problem,
    /**
     * Makes a session. `present` are the request's cookies, so that those of an earlier session are deleted. `tooLarge`
     * if it does not fit the cookies that a browser and a server take: its size is over the limit.
     */
    issue: async (user: SessionUser, present: Cookies = new Map(), lifetimeMs = SESSION_LIFETIME_MS) => {
      if (signing.problem !== undefined) return { outcome: 'invalidKey', problem: signing.problem } as const;
      const token = await signSessionToken(user, signing.key, { issuedMs: now(), lifetimeMs });
      const form = { maxAgeSeconds: Math.floor(lifetimeMs / 1_000), secure };
      const split = sessionTokenCookies(token, form, compactSessions);
      if (split.tooLarge !== undefined) {
        return { outcome: 'tooLarge', bytes: split.tooLarge, limit: split.limit } as const;
      }
      const stale = staleSessionCookies(present, split.cookies, secure);
      return {
        outcome: 'issued',
        cookies: [...split.cookies, ...stale],
        /** How many of the cookies hold the session. The others delete cookies of an earlier session. */
        parts: split.cookies.length,
        sessionId: sessionIdOf(token),
      } as const;
    },
    /** The signed-in user; undefined for every session that is not valid, whatever the reason. */
    read: async (cookies: Cookies) => (await identify(cookies)).user,
    /** Cookies that end the session. */
    clear: (present: Cookies): readonly SetCookie[] => {
      const first = expiredCookie(SESSION_COOKIE, secure);
      return [first, ...staleSessionCookies(present, [first], secure)];
    },
  };
}
