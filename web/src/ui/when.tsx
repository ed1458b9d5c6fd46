import { formatAgo, formatDateTime, formatExactly } from '../values/format.ts';
import { useNow } from './use-now.ts';

export interface WhenProps {
  /** RFC 3339. */
  readonly time: string;
  /** "3 days ago" instead of the date. */
  readonly relative?: boolean;
}

/** A time; the exact one when the pointer rests on it. */
export function When({ time, relative = false }: WhenProps) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return <span>unknown</span>;
  return (
    <time dateTime={time} title={formatExactly(date)}>
      {relative ? <Ago time={date.getTime()} /> : formatDateTime(date)}
    </time>
  );
}

function Ago({ time }: { readonly time: number }) {
  // What is newer than the last tick is not in the future.
  return formatAgo(time, Math.max(useNow(), Math.min(time, Date.now())));
}
