/** The pages' one language; whatever the browser's is, half of a page must not be in another. */
const LOCALE = 'en-US';

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});
const EXACT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });
const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' });
// "Yesterday" is a day of the calendar, and units here are lengths of time.
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' });
const NUMBER = new Intl.NumberFormat(LOCALE);

const MINUTE = 60_000;
const UNITS = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

export const formatNumber = (value: number): string => NUMBER.format(value);

export const formatDateTime = (date: Date): string => DATE_TIME.format(date);

/** With weekday, seconds and time zone. */
export const formatExactly = (date: Date): string => EXACT.format(date);

/** The time of day; with its date when that is not today's. */
export function formatToday(time: number, now: number): string {
  const [then, today] = [new Date(time), new Date(now)];
  return then.toDateString() === today.toDateString() ? TIME.format(then) : DATE_TIME.format(then);
}

/** "Today", or the date. */
export function formatDay(date: Date, now: number): string {
  return date.toDateString() === new Date(now).toDateString() ? 'Today' : DAY.format(date);
}

/** "3 days ago", "in 2 hours", "just now". */
export function formatAgo(time: number, now: number): string {
  const difference = time - now;
  const unit = UNITS.find(([, length]) => Math.abs(difference) >= length);
  return unit === undefined ? 'just now' : RELATIVE.format(Math.trunc(difference / unit[1]), unit[0]);
}

/** A name in a sentence of plain text, whose order it leaves as it is: what HTML has `bdi` for (UAX #9, section 2.4). */
export const isolated = (name: string): string => (/^[ -~]*$/.test(name) ? name : `\u2068${name}\u2069`);

/** "a, b and 3 more". */
export function firstOf(names: readonly (string | number)[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** "1 key", "2 keys". */
export function counted(count: number, what: string): string {
  return `${formatNumber(count)} ${what}${count === 1 ? '' : 's'}`;
}
