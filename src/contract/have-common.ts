/** The limit for comparing each entry with each, which is fastest for short lists. */
const MOST_COMPARISONS = 256;

/** Whether two lists share an entry. A policy may list a hundred thousand groups, and a session carry hundreds. */
export function haveCommon(left: readonly string[], right: readonly string[]): boolean {
  if (left.length * right.length <= MOST_COMPARISONS) return left.some((entry) => right.includes(entry));
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  const wanted = new Set(fewer);
  return more.some((entry) => wanted.has(entry));
}
