const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a duration such as `90s`, `72h` or `30d`; undefined if it is malformed. */
export function parseDuration(text: string): number | undefined {
  const match = /^([1-9][0-9]{0,8})(ms|s|m|h|d)$/.exec(text);
  const factor = UNITS[match?.[2] ?? ''];
  if (match?.[1] === undefined || factor === undefined) return undefined;
  const milliseconds = Number(match[1]) * factor;
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
