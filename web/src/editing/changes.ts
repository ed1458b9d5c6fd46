import { sameValue, type FormValues, type Value } from '../values/value.ts';

export type ChangeKind = 'added' | 'changed' | 'renamed' | 'removed' | 'same';

/** What becomes of one key. */
export interface KeyChange {
  readonly key: string;
  readonly kind: ChangeKind;
  /** The key that it had, where it was renamed. */
  readonly from?: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Every key of either side, sorted, with what happens to it from `before` to `after`. */
export function compareValues(before: FormValues, after: FormValues): readonly KeyChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((key) => {
    const [old, next] = [before.get(key), after.get(key)];
    return { key, kind: kindOf(old, next), before: old, after: next };
  });
}

/** Only the keys that differ. */
export function changedKeys(before: FormValues, after: FormValues): readonly KeyChange[] {
  return compareValues(before, after).filter(({ kind }) => kind !== 'same');
}

export function sameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

function kindOf(before: Value | undefined, after: Value | undefined): ChangeKind {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return sameValue(before, after) ? 'same' : 'changed';
}
