/**
 * A resourceVersion as a number. Kubernetes guarantees that those of its own kinds are decimal numbers that only grow
 * (API concepts, resource versions). The order of others is undefined.
 */
export type Revision = bigint;

/** Undefined for an absent resourceVersion, and for one that is not a decimal number. */
export function parseRevision(resourceVersion: string | undefined): Revision | undefined {
  if (resourceVersion === undefined || !/^[0-9]{1,40}$/.test(resourceVersion)) return undefined;
  return BigInt(resourceVersion);
}

/** Whether `revision` is certainly `wanted` or later. */
export function hasReached(revision: Revision | undefined, wanted: Revision | undefined): boolean {
  return revision !== undefined && wanted !== undefined && revision >= wanted;
}

/** Whether `revision` is certainly later than `other`. */
export function isLater(revision: Revision | undefined, other: Revision | undefined): boolean {
  return revision !== undefined && other !== undefined && revision > other;
}
