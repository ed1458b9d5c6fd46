import { hash } from 'node:crypto';
import { emailKey } from '../../contract/email.ts';
import { parseTime } from '../../contract/times.ts';

/** The sessions that were ended early: those issued before a time, of one email or of everyone. */
export interface Revocations {
  /** Milliseconds since the epoch; undefined if no entry is for everyone. */
  readonly everyone: number | undefined;
  /** By the hex SHA-256 of the lowercased email. */
  readonly byEmail: ReadonlyMap<string, number>;
  /** The first of the malformed entries, which end no session. */
  readonly malformed: readonly MalformedRevocation[];
  /** The number of all malformed entries. */
  readonly malformedCount: number;
}

export interface MalformedRevocation {
  /** Only if the key itself is well-formed: anything else may be an email that was entered by mistake. */
  readonly key: string | undefined;
  readonly problem: 'keyMalformed' | 'timeMalformed' | 'tooMany';
}

export const NO_REVOCATIONS: Revocations = {
  everyone: undefined,
  byEmail: new Map(),
  malformed: [],
  malformedCount: 0,
};

/** A ConfigMap is at most one mebibyte, which is about 11,000 entries. */
const MAX_ENTRIES = 16_384;
/** Malformed entries that are logged one by one. */
const MAX_LISTED = 20;
const EVERYONE = '_all';
const EMAIL_HASH = /^[0-9a-f]{64}$/i;

/** Parses the entries of the ConfigMap. */
export function parseRevocations(entries: Iterable<readonly [key: string, value: string]>): Revocations {
  const times = new Map<string, number>();
  const malformed: MalformedRevocation[] = [];
  let malformedCount = 0;
  const refuse = (problem: MalformedRevocation['problem'], key?: string): void => {
    malformedCount++;
    if (malformed.length < MAX_LISTED) malformed.push({ key, problem });
  };
  for (const [name, value] of entries) {
    const key = EMAIL_HASH.test(name) ? name.toLowerCase() : name;
    const isKey = key === EVERYONE || EMAIL_HASH.test(key);
    const time = isKey ? parseTime(value.trim()) : undefined;
    if (!isKey) refuse('keyMalformed');
    else if (time === undefined) refuse('timeMalformed', key);
    else if (times.size >= MAX_ENTRIES && !times.has(key)) refuse('tooMany', key);
    else times.set(key, Math.max(time, times.get(key) ?? time));
  }
  const everyone = times.get(EVERYONE);
  times.delete(EVERYONE);
  return { everyone, byEmail: times, malformed, malformedCount };
}

/**
 * Whether a session was ended early. Checked at each use, since revocations change.
 * @throws {ServiceError} `unavailable` while the revocations cannot be read
 */
export type IsRevoked = (session: { readonly email: string; readonly issuedMs: number }) => boolean;

/** Whether a session was ended early: issued before the time, in whole seconds, as `iat` has. */
export function isRevoked(revocations: Revocations, session: Parameters<IsRevoked>[0]): boolean {
  const { everyone, byEmail } = revocations;
  const { email, issuedMs } = session;
  if (everyone !== undefined && issuedMs < everyone) return true;
  if (byEmail.size === 0) return false;
  const time = byEmail.get(hash('sha256', emailKey(email)));
  return time !== undefined && issuedMs < time;
}
