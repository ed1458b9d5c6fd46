const KNOWN = ['production', 'development', 'test'];

/**
 * What is odd about NODE_ENV, in words that do not repeat it; undefined when nothing is. Only `production` means
 * something here, so a misspelling would quietly leave its protections off.
 */
export function environmentProblem(name: string | undefined): string | undefined {
  if (name === undefined || name === '' || KNOWN.includes(name)) return undefined;
  return `must be one of ${KNOWN.join(', ')}, or unset; anything else is served as if it were not production`;
}
