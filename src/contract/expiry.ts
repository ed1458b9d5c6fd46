import { parseDuration, parseTime } from './times.ts';

/** The rules of what someone declares about the expiry of a Secret. */

const HOUR_MS = 3_600_000;
const MIN_PERIOD_MS = HOUR_MS;
/** Ten years: no one rotates less often, and a longer period only hides a mistake. */
const MAX_PERIOD_MS = 3_650 * 24 * HOUR_MS;
/** RFC 3339 has four digits for the year. */
const END_OF_TIME = Date.UTC(10_000, 0, 1);

/** Milliseconds of a period of at least `1h` and at most `3650d`; undefined for anything else. */
export function parsePeriod(text: string): number | undefined {
  const milliseconds = parseDuration(text) ?? 0;
  return milliseconds >= MIN_PERIOD_MS && milliseconds <= MAX_PERIOD_MS ? milliseconds : undefined;
}

/** Whether a time, in milliseconds since 1970, can be written. */
export function isExpiryTime(time: number): boolean {
  return time >= 0 && time < END_OF_TIME;
}

/** Milliseconds since 1970 of an RFC 3339 time from 1970 on; undefined for anything else. */
export function parseExpiryTime(text: string): number | undefined {
  const time = parseTime(text);
  return time !== undefined && isExpiryTime(time) ? time : undefined;
}

export const PERIOD_RULE = 'must be a duration from 1h to 3650d, such as 12h or 30d';

/** What is wrong with a declared expiry, in words that follow the name of its field; undefined if nothing. */
export function expiresAtViolation(text: string): string | undefined {
  if (text === '' || parseExpiryTime(text) !== undefined) return undefined;
  return 'must be a time from 1970 to 9999 as in RFC 3339, such as 2027-01-31T00:00:00Z, or empty';
}

/** Likewise for a period of rotation. */
export function rotateEveryViolation(text: string): string | undefined {
  return text === '' || parsePeriod(text) !== undefined ? undefined : `${PERIOD_RULE}, or empty`;
}
