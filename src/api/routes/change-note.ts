import type { AuditRecord } from '../runner/audit.ts';

/** The audit line of a change says whether it has a note, and never repeats it. */
export function noteChange(
  audit: AuditRecord,
  { changeNote = '' }: { readonly changeNote?: string | undefined },
): void {
  if (changeNote !== '') audit.changeNote = true;
}
