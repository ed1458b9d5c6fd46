/** Whether a comparison of lines says more than both values side by side. */
export function hasLines(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && (before.includes('\n') || after.includes('\n'));
}
