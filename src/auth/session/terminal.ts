import { hash, hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt, type JWTDecryptOptions } from 'jose';
import type { IsRevoked } from './revocations.ts';
import {
  firstAccepted,
  isSameText,
  readSessionToken,
  signSessionToken,
  TERMINAL_TYPE,
  type TokenSession,
} from './session-token.ts';
import { readSigningKeys, SESSION_LIFETIME_MS, type KeySettings, type PresentedSession } from './sessions.ts';

/** How long a code counts. Until then it can be redeemed again, by whoever has the verifier. */
const CODE_SECONDS = 60;

/** Of a bearer token, as of those of machines; what does not fit is refused before there is a code. */
const MAX_TOKEN_CHARACTERS = 8_192;

/** A code is the encrypted token, with a header, a challenge and a tag. */
const MAX_CODE_CHARACTERS = 12_288;

/** The header of each of these tokens, as it is signed. No machine has such a token: none of theirs is symmetric. */
const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: TERMINAL_TYPE })).toString('base64url');

/** RFC 7636, section 4.2: the base64url of a SHA-256. */
export const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** A session that a command begins with its token. */
export interface RedeemedCode extends TokenSession {
  readonly token: string;
  readonly expiresInSeconds: number;
}

interface TerminalOptions extends KeySettings {
  /** Of this service, so that another one with the same key refuses its tokens. */
  readonly publicUrl: string;
  readonly isRevoked: IsRevoked | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export type TerminalSignIn = ReturnType<typeof createTerminalSignIn>;

/**
 * Signing in from a terminal, without state: a code is the token itself, encrypted together with the challenge of the
 * command that began (PKCE, RFC 7636). The token says what the session said that it was made from, and ends with it: with
 * its time, with a revocation of it, with the signing key. Keys are derived for each purpose, so that no token, code or
 * cookie is accepted as another.
 */
export function createTerminalSignIn(options: TerminalOptions) {
  const { publicUrl, isRevoked, now = Date.now } = options;
  const keys = readSigningKeys(options);
  const codeKeys = keys.map((key) => derivedKey(key, 'terminal code'));
  const tokenKeys = keys.map((key) => derivedKey(key, 'terminal token'));
  const audience = `terminal:${publicUrl}`;
  const rules = { keys: tokenKeys, isRevoked, audience };
  return {
    /** The code of a session that was just read, for the command that has the challenge's verifier; `ended` without a session. */
    async seal(session: PresentedSession, challenge: string) {
      const { user, issuedMs = 0, expiresMs = 0, keyIndex = 0 } = session;
      const [codeKey] = codeKeys;
      // Of the key that signed the session: the token ends with it.
      const tokenKey = tokenKeys[keyIndex];
      if (user === undefined || codeKey === undefined || tokenKey === undefined)
        return { kind: 'ended' } as const;
      const lifetimeMs = Math.min(expiresMs - issuedMs, SESSION_LIFETIME_MS);
      const token = await signSessionToken(user, tokenKey, { issuedMs, lifetimeMs, audience });
      if (token.length > MAX_TOKEN_CHARACTERS)
        return { kind: 'tooLarge', limit: MAX_TOKEN_CHARACTERS } as const;
      const code = await new EncryptJWT({ token, challenge })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now() / 1_000) + CODE_SECONDS)
        .encrypt(codeKey);
      return { kind: 'sealed', code, expiresInSeconds: CODE_SECONDS } as const;
    },
    /** The token of a code, for whoever has the verifier; undefined for every other, whatever the reason. */
    async redeem(code: string, verifier: string): Promise<RedeemedCode | undefined> {
      if (code.length > MAX_CODE_CHARACTERS || !VERIFIER.test(verifier)) return undefined;
      const { token = '', challenge = '' } = await opened(code, codeKeys, now());
      if (!isSameText(hash('sha256', verifier, 'base64url'), challenge)) return undefined;
      const session = await readSessionToken(token, now(), rules);
      if (session === undefined) return undefined;
      return { ...session, token, expiresInSeconds: Math.floor((session.expiresMs - now()) / 1_000) };
    },
    /** Whoever sends a token that {@link isTerminalToken} recognizes; undefined when it is not valid. */
    async authenticate(token: string): Promise<TokenSession | undefined> {
      return token.length > MAX_TOKEN_CHARACTERS ? undefined : readSessionToken(token, now(), rules);
    },
  };
}

/** Whether a bearer token claims to be from a terminal; nothing of it is verified. */
export const isTerminalToken = (token: string): boolean => token.startsWith(`${HEADER}.`);

function derivedKey(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `secrets-management-service ${use}`, 32));
}

type Sealed = Partial<Readonly<Record<'token' | 'challenge', string>>>;

/** What a code holds; empty if it is none of this service, or has expired. */
async function opened(code: string, keys: readonly Uint8Array[], nowMs: number): Promise<Sealed> {
  const rules: JWTDecryptOptions = {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
    requiredClaims: ['exp'],
    currentDate: new Date(nowMs),
  };
  const sealed = await firstAccepted(keys, (key) => jwtDecrypt<Sealed>(code, key, rules));
  return sealed?.payload ?? {};
}
