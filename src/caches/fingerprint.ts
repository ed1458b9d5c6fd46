/** What is compared of an object: its identity and revision. */
export interface HeldObject {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Identifies a set of objects with their revisions, in any order. Small, even for a large set. */
export interface Fingerprint {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** Compares two views of one namespace. It is no protection against an attacker. */
export function fingerprintOf(objects: readonly HeldObject[]): Fingerprint {
  let low = 0;
  let high = 0;
  for (const { uid, resourceVersion } of objects) {
    const text = `${uid} ${resourceVersion}`;
    low ^= hash(text, 0x811c9dc5);
    high ^= hash(text, 0x9e3779b9);
  }
  return { count: objects.length, low, high };
}

/** Whether the objects are those of the fingerprint. The count alone decides most cases. */
export function hasFingerprint(objects: readonly HeldObject[], { count, low, high }: Fingerprint): boolean {
  if (objects.length !== count) return false;
  const other = fingerprintOf(objects);
  return other.low === low && other.high === high;
}

/** FNV-1a with a final mix, so that similar revisions differ in all bits. */
function hash(text: string, seed: number): number {
  let state = seed;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  return Math.imul(state ^ (state >>> 13), 0xc2b2ae35) | 0;
}
