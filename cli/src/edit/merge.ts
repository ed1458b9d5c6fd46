import { isSame, type Values } from '../secrets/secrets.ts';

export interface Merged {
  /** What is to be saved on top of theirs. */
  readonly merged: Values;
  /** Keys that both changed, with both values between markers. */
  readonly marked: Values;
}

/** A three-way merge by key: a key that one side changed alone has their value. */
export function mergeKeys(base: Values, mine: Values, theirs: Values): Merged {
  const merged = new Map<string, Uint8Array>();
  const marked = new Map<string, Uint8Array>();
  for (const [key, value] of mine) {
    const other = theirs.get(key);
    if (isSame(value, other)) continue;
    if (isSame(other, base.get(key))) merged.set(key, value);
    else marked.set(key, withMarkers(value, other));
  }
  return { merged, marked };
}

const BEGIN = '<<<<<<< yours';
const END = '>>>>>>> saved meanwhile';

/** Keys that are still as `mergeKeys` left them. */
export function unresolvedKeys(values: Values): readonly string[] {
  const isUnresolved = (value: Uint8Array) =>
    [BEGIN, END].some((marker) => Buffer.from(value).includes(marker));
  return [...values].filter(([, value]) => isUnresolved(value)).map(([key]) => key);
}

/** Lines that are the same at the beginning and the end are there once. */
function withMarkers(mine: Uint8Array, theirs: Uint8Array | undefined): Uint8Array {
  const [one, other] = [mine, theirs ?? new Uint8Array()].map((value) =>
    Buffer.from(value).toString('utf8').split('\n'),
  );
  const ours = one ?? [];
  const their = other ?? [];
  let start = 0;
  while (start < Math.min(ours.length, their.length) && ours[start] === their[start]) start++;
  let end = 0;
  const most = Math.min(ours.length, their.length) - start;
  while (end < most && ours.at(-1 - end) === their.at(-1 - end)) end++;
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  return Buffer.from(
    [
      ...ours.slice(0, start),
      ...[BEGIN, ...middle(ours), '=======', ...middle(their), END],
      ...ours.slice(ours.length - end),
    ].join('\n'),
  );
}
