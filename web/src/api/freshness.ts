/**
 * When the cluster looked as an answer says, in milliseconds. `Age` (RFC 9111, section 5.1) comes with a list
 * from the service's memory; without it the response was made at the time of the request.
 */
export function asOf(headers: Headers, now: number): number {
  const age = headers.get('age') ?? '';
  return /^\d{1,9}$/.test(age) ? now - Number(age) * 1_000 : now;
}
