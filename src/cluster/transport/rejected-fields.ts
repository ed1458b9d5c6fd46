import type { ClusterStatus } from './status.ts';

const MAX_FIELDS = 8;
const MAX_LENGTH = 100;
/** The longest path that is parsed: a key has at most 253 characters. */
const MAX_CHECKED = 512;

/** `type`, `metadata.name`, `data[tls.crt]`, `metadata.annotations[a.example/b]`, `spec.items[0].name`. */
const FIELD_PATH = /^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*|\[[-._/A-Za-z0-9]{1,253}\])*$/;

/**
 * The field paths that the cluster rejected, safe for clients: they contain names of fields and keys, never values.
 * Text that is not a path is left out.
 */
export function rejectedFields(details: ClusterStatus | undefined): readonly string[] {
  const fields = (details?.causes ?? []).flatMap(({ field }) =>
    field !== undefined && field.length <= MAX_CHECKED && FIELD_PATH.test(field) ? [shortened(field)] : [],
  );
  return [...new Set(fields)].slice(0, MAX_FIELDS);
}

function shortened(field: string): string {
  return field.length > MAX_LENGTH ? `${field.slice(0, MAX_LENGTH)}…` : field;
}
