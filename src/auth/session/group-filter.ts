/** Leaves out the groups that no rule can be about, in the order in which they came. */
export type GroupFilter = (groups: readonly string[]) => readonly string[];

/**
 * Keeps the groups that a pattern matches (SERVICE_GROUPS_FILTER), and always those in `alwaysKept`: the administrators'
 * groups, which a filter must not take away by mistake. Without patterns every group is kept.
 *
 * `*` in a pattern stands for any characters, none included; everything else stands for itself, case included.
 */
export function createGroupFilter(
  patterns: readonly string[],
  alwaysKept: readonly string[] = [],
): GroupFilter {
  if (patterns.length === 0) return (groups) => groups;
  const names = new Set([...alwaysKept, ...patterns.filter((pattern) => !pattern.includes('*'))]);
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(createGlob);
  return (groups) => groups.filter((group) => names.has(group) || globs.some((matches) => matches(group)));
}

type Glob = (text: string) => boolean;

/**
 * What is before the first `*` must begin the text and what is behind the last must end it; the parts in between are
 * taken at their first occurrence one after the other, which finds a match wherever there is one. Each character of
 * the text is passed once, so that the time is linear in text and pattern together.
 */
function createGlob(pattern: string): Glob {
  const parts = pattern.split('*');
  const start = parts[0] ?? '';
  const end = parts.at(-1) ?? '';
  const searches = parts
    .slice(1, -1)
    .filter((part) => part !== '')
    .map(createSearch);
  return (text) => {
    const limit = text.length - end.length;
    if (limit < start.length || !text.startsWith(start) || !text.endsWith(end)) return false;
    let position = start.length;
    for (const search of searches) {
      const found = search(text, position, limit);
      if (found === undefined) return false;
      position = found;
    }
    return true;
  };
}

/** Finds a text between two positions; returns where its first occurrence ends. */
type Search = (text: string, from: number, limit: number) => number | undefined;

/** Knuth, Morris and Pratt's search: `String.indexOf` promises no linear time. */
function createSearch(wanted: string): Search {
  const fallbacks = fallbacksOf(wanted);
  return (text, from, limit) => {
    let matched = 0;
    for (let position = from; position < limit; position++) {
      matched = advance(wanted, fallbacks, matched, text[position]);
      if (matched === wanted.length) return position + 1;
    }
    return undefined;
  };
}

/** For each length of a matched beginning: the longest shorter beginning that is also its ending. */
function fallbacksOf(wanted: string): readonly number[] {
  const fallbacks: number[] = [0, 0];
  for (let position = 1; position < wanted.length; position++) {
    fallbacks.push(advance(wanted, fallbacks, fallbacks[position] ?? 0, wanted[position]));
  }
  return fallbacks;
}

function advance(
  wanted: string,
  fallbacks: readonly number[],
  matched: number,
  next: string | undefined,
): number {
  let length = matched;
  while (length > 0 && wanted[length] !== next) length = fallbacks[length] ?? 0;
  return wanted[length] === next ? length + 1 : length;
}
