/** The time of day; with its date when that is not today's. */
export function asOfText(time: number, now: number): string {
  const [then, today] = [new Date(time), new Date(now)];
  return then.toDateString() === today.toDateString()
    ? then.toLocaleTimeString()
    : then.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}
