const UNITS: Readonly<Record<string, number>> = {
  KiB: 1_024,
  MiB: 1_024 ** 2,
  GiB: 1_024 ** 3,
};

/** Bytes of a size such as `512KiB`, `64MiB` or `1GiB`; undefined if it is malformed. */
export function parseSize(text: string): number | undefined {
  const match = /^([1-9][0-9]{0,5})(KiB|MiB|GiB)$/.exec(text);
  const factor = UNITS[match?.[2] ?? ''];
  return match?.[1] === undefined || factor === undefined ? undefined : Number(match[1]) * factor;
}
