/** Removes the groups that no rule uses, and keeps the order of the others. */
export type GroupFilter = (groups: readonly string[]) => readonly string[];

/**
 * Keeps the groups that a pattern matches (SERVICE_GROUPS_FILTER), and always those in `alwaysKept`: the
 * administrators' groups, which a filter must not take away by mistake. Without patterns every group is kept.
 *
 * `*` in a pattern matches any characters, or none. Everything else matches exactly, including case.
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
 * The text before the first `*` must begin the name, and the text behind the last must end it. The parts between are
 * matched at their first occurrence in order, which finds a match if there is one. Each character is read once, so the
 * time is linear in name and pattern together.
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

/** Searches a text between two positions. Returns where its first occurrence ends. */
type Search = (text: string, from: number, limit: number) => number | undefined;

/** The Knuth-Morris-Pratt search: `String.indexOf` does not guarantee linear time. */
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

/** For each length of a matched prefix: the longest shorter prefix that is also its suffix. */
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
