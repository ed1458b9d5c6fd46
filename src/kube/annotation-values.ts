/**
 * A version of a Secret as text: a canonical non-negative safe integer, or undefined. It counts updates made through the service
 * and is not the cluster's resourceVersion.
 */
export function parseVersion(text: string | undefined): number | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * The counter in an annotation. Absent, zero and malformed count as 1: an adopted Secret is at its first version. If
 * that is wrong, the snapshot's name already exists and nothing is replaced.
 */
export function readCounter(annotation: string | undefined): number {
  const version = parseVersion(annotation);
  return version === undefined || version === 0 ? 1 : version;
}

/** Reads a list of access rules as an annotation stores it: split on comma, trimmed, blanks dropped. */
export function parseRuleList(annotation: string | undefined): readonly string[] {
  return (annotation ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Writes checked entries as an annotation; the empty list is stored as an empty annotation. */
export const formatRuleList = (entries: readonly string[]): string => entries.join(',');

/** The texts that are there, in their order. */
export function present(
  entries: Iterable<readonly [string, string | undefined]>,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, text] of entries) if (text !== undefined) texts.set(name, text);
  return texts;
}
