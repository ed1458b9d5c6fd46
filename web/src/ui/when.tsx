import { formatAgo, formatDateTime, formatExactly } from '../values/format.ts';
import { useNow } from './use-now.ts';

export interface WhenProps {
  /** RFC 3339. */
  readonly time: string;
  /** "3 days ago" instead of the date. */
  readonly relative?: boolean;
  /** It may be yet to come; left out: it has happened. */
  readonly isDue?: boolean;
}

/** A time; the exact one when the pointer rests on it. */
export function When({ time, relative = false, isDue = false }: WhenProps) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return <span>unknown</span>;
  return (
    <time dateTime={time} title={formatExactly(date)}>
      {relative ? <Ago time={date.getTime()} isDue={isDue} /> : formatDateTime(date)}
    </time>
  );
}

function Ago({ time, isDue }: { readonly time: number; readonly isDue: boolean }) {
  const now = useNow();
  // Neither the last tick nor a clock that is behind makes the future of what has happened.
  return formatAgo(time, isDue ? now : Math.max(now, time));
}
