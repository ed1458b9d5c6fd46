/**
 * Whether an SPDX licence expression (annex D of the SPDX specification) can be met with the allowed identifiers alone: of
 * `OR` one side must be, of `AND` both. What is no expression, such as `SEE LICENSE IN …`, is not allowed.
 */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let position = 0;
  const take = (expected: string): boolean => {
    const isNext = tokens[position] === expected;
    if (isNext) position += 1;
    return isNext;
  };
  const either = (): boolean => {
    let holds = both();
    while (take('OR')) holds = both() || holds;
    return holds;
  };
  const both = (): boolean => {
    let holds = one();
    while (take('AND')) holds = one() && holds;
    return holds;
  };
  const one = (): boolean => {
    if (take('(')) {
      const holds = either();
      return take(')') && holds;
    }
    const identifier = tokens[position++] ?? '';
    // An exception is part of the licence that it changes.
    return allowed.has(take('WITH') ? `${identifier} WITH ${tokens[position++] ?? ''}` : identifier);
  };
  const holds = either();
  return holds && position === tokens.length;
}
