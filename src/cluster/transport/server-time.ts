import type { Clock } from '../../timing/clock.ts';

/** The cluster's time, from the Date header of its last response (RFC 9110, section 6.6.1). */
export interface ServerTime {
  /** Takes the Date of a response that has just arrived. Ignores anything that is not a date. */
  readonly note: (date: string | undefined) => void;
  /** Milliseconds since 1970; undefined until the first response. Exact to about a second. */
  readonly now: () => number | undefined;
}

/** Between two responses the monotonic clock is used, never the wall clock of this machine. */
export function createServerTime(clock: Pick<Clock, 'now'>): ServerTime {
  let offset: number | undefined;
  return {
    note: (date) => {
      // Date.parse accepts much that is not an HTTP date, so the form is checked first.
      if (date === undefined || !/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/.test(date))
        return;
      const time = Date.parse(date);
      if (!Number.isNaN(time)) offset = time - clock.now();
    },
    now: () => (offset === undefined ? undefined : offset + clock.now()),
  };
}
