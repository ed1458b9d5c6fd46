/** Why a signing key is refused. */
export type SigningKeyProblem = 'missing' | 'blank' | 'publiclyKnown' | 'tooShort';

export type SigningKey =
  | { readonly key: Uint8Array; readonly problem?: never }
  | { readonly key?: never; readonly problem: SigningKeyProblem };

export const MIN_KEY_CHARACTERS = 32;

/**
 * Keys that earlier versions and their examples used as a development fallback. They are public, so anyone could sign
 * sessions with them. Several are long enough for the length rule, so they are listed here. Compared ignoring case and
 * surrounding whitespace.
 */
const FORMER_FALLBACK_KEYS: readonly string[] = [
  'dev-secret-change-me',
  'dev-secret-change-me-in-production',
  'dev-secret-change-me-please-32-chars',
  'dev-only-insecure-session-secret-change-me',
  'dev-only-secret-do-not-use-in-production',
  'dev-session-secret-change-in-production',
  'dev-session-secret-do-not-use-in-production',
  'development-only-session-secret-not-for-production',
  'development-secret-change-in-production',
  'development-session-secret-change-me',
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

/** What is wrong with a former key; undefined if it is valid or absent. */
export function formerKeyProblem(secret: string | undefined): SigningKeyProblem | undefined {
  const { problem } = readSigningKey(secret);
  return problem === 'missing' ? undefined : problem;
}

/** One sentence per problem; names the setting, never its value. */
export const SIGNING_KEY_ADVICE: Readonly<Record<SigningKeyProblem, string>> = {
  missing: 'Set SESSION_SECRET to a random key of at least 32 characters.',
  blank: 'SESSION_SECRET holds only whitespace; set it to a random key of at least 32 characters.',
  publiclyKnown: 'SESSION_SECRET is a publicly known example key; set it to a random one.',
  tooShort: 'SESSION_SECRET is too short; set it to a random key of at least 32 characters.',
};
