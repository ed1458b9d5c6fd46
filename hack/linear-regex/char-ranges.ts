/** The characters of one atom of a pattern: disjoint ranges of code points, in order. */
export type CharRanges = readonly (readonly [first: number, last: number])[];

export const EVERY_CHARACTER: CharRanges = [[0, 0x10ffff]];

const LAST_OF_BMP = 0xffff;
const LAST_OF_UNICODE = 0x10ffff;
/** What may distinguish one character beyond the basic plane from another. */
const NAMES_ASTRAL = /\\[pP]|\\u\{|[\ud800-\udfff]/;

const known = new Map<string, CharRanges>();

/**
 * The characters that an atom (`a`, `\s`, `[^"]`, …) matches under the flags of its pattern. The engine itself is
 * run on every character, so that classes, properties and ignored case mean here what they mean there.
 */
export function rangesOf(atom: string, flags: string): CharRanges {
  const meaningful = flags.replaceAll(/[^isuv]/g, '');
  const key = `${meaningful} ${atom}`;
  const found = known.get(key) ?? collect(atom, meaningful);
  known.set(key, found);
  return found;
}

function collect(atom: string, flags: string): CharRanges {
  const pattern = new RegExp(`^(?:${atom})$`, flags);
  const hasCodePoints = flags.includes('u') || flags.includes('v');
  const isTriedBeyondBmp = hasCodePoints && NAMES_ASTRAL.test(atom);
  const last = isTriedBeyondBmp ? LAST_OF_UNICODE : LAST_OF_BMP;
  const ranges: [number, number][] = [];
  for (let point = 0; point <= last; point++) {
    if (!pattern.test(String.fromCodePoint(point))) continue;
    const open = ranges.at(-1);
    if (open?.[1] === point - 1) open[1] = point;
    else ranges.push([point, point]);
  }
  // All characters beyond the basic plane are alike to this atom.
  if (!isTriedBeyondBmp && hasCodePoints && pattern.test(String.fromCodePoint(LAST_OF_UNICODE)))
    ranges.push([LAST_OF_BMP + 1, LAST_OF_UNICODE]);
  return ranges;
}

export function intersection(left: CharRanges, right: CharRanges): CharRanges {
  const shared: [number, number][] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [left[i], right[j]];
    if (a === undefined || b === undefined) return shared;
    const [first, last] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
    if (first <= last) shared.push([first, last]);
    if (a[1] < b[1]) i++;
    else j++;
  }
}
