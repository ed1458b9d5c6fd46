const MINUTE = 60_000;
const UNITS = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

export interface WhenProps {
  /** RFC 3339. */
  readonly time: string;
  /** "3 days ago" instead of the date. */
  readonly relative?: boolean;
}

/** A time in the reader's own locale; the exact one when the pointer rests on it. */
export function When({ time, relative = false }: WhenProps) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return <span>unknown</span>;
  return (
    <time dateTime={time} title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}>
      {relative ? ago(date) : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}

function ago(date: Date): string {
  const difference = date.getTime() - Date.now();
  const [unit, size] = UNITS.find(([, length]) => Math.abs(difference) >= length) ?? ['minute', MINUTE];
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(
    Math.trunc(difference / size),
    unit,
  );
}
