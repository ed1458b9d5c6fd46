/** Reads a list of access rules as an annotation stores it: split on comma, trimmed, blanks dropped. */
export function parseRuleList(annotation: string | undefined): readonly string[] {
  return (annotation ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Writes checked entries as an annotation; the empty list is stored as an empty annotation. */
export function formatRuleList(entries: readonly string[]): string {
  return entries.join(',');
}
