const KNOWN = ['production', 'development', 'test'];

/**
 * The problem with NODE_ENV, in words that do not quote it; undefined if there is none. Only `production` has a meaning
 * here, so a misspelling would silently disable its protections.
 */
export function environmentProblem(name: string | undefined): string | undefined {
  if (name === undefined || name === '' || KNOWN.includes(name)) return undefined;
  return `must be one of ${KNOWN.join(', ')}, or unset; anything else is served as if it were not production`;
}
