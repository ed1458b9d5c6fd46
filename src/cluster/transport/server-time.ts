import type { Clock } from '../../timing/clock.ts';

/** The time by the cluster's clock, as the Date header of its last answer told it (RFC 9110, section 6.6.1). */
export interface ServerTime {
  /** Takes the Date of an answer that has just come; anything that is none is left out. */
  readonly note: (date: string | undefined) => void;
  /** Milliseconds since 1970; undefined until an answer has told it. Exact to about a second. */
  readonly now: () => number | undefined;
}

/** Between two answers the monotonic clock goes on; the own wall clock is never asked. */
export function createServerTime(clock: Pick<Clock, 'now'>): ServerTime {
  let offset: number | undefined;
  return {
    note: (date) => {
      // Date.parse takes much that is no HTTP date, so the form is checked first.
      if (date === undefined || !/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/.test(date))
        return;
      const time = Date.parse(date);
      if (!Number.isNaN(time)) offset = time - clock.now();
    },
    now: () => (offset === undefined ? undefined : offset + clock.now()),
  };
}
