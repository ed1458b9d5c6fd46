/** Times and durations as texts. */

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a duration such as `90s`, `72h` or `30d`; undefined if it is malformed. */
export function parseDuration(value: string): number | undefined {
  const [, count, unit = ''] = /^([1-9][0-9]{0,8})(ms|s|m|h|d)$/.exec(value) ?? [];
  const milliseconds = Number(count) * (DURATION_UNITS[unit] ?? NaN);
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}):([0-5]\d|60)(\.\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** The longest that the pattern takes. */
const MAX_LENGTH = 35;

/** Milliseconds since 1970 of a time (RFC 3339, section 5.6); undefined if it is malformed. */
export function parseTime(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = TIME.exec(text.toUpperCase());
  if (match === null) return undefined;
  const [, minute = '', second, fraction = '', zone = ''] = match;
  // Date.parse takes a day that does not exist for one of the next month, and 24:00 for the next day.
  const utc = Date.parse(`${minute}:00Z`);
  if (Number.isNaN(utc) || !new Date(utc).toISOString().startsWith(minute)) return undefined;
  // Its seconds may be 60, which Date.parse refuses, so they are added.
  return Date.parse(`${minute}:00${zone}`) + Number(second) * 1_000 + Number(`0${fraction}`) * 1_000;
}

/** A time as RFC 3339 text in UTC, without a fraction that is zero. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
