/**
 * The application version counter of a live Secret. It counts updates made through the service and is
 * not the cluster's resourceVersion.
 */

/** A canonical non-negative safe integer as text, or undefined. */
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
