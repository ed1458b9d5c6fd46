import type { WatchedObject } from './ports.ts';

/** The change of one object. `value` is what the projection returned for it. */
export type Change<Value> =
  | { readonly kind: 'added' | 'modified'; readonly value: Value; readonly previous: Value | undefined }
  | { readonly kind: 'deleted'; readonly previous: Value };

export function isSame(one: WatchedObject | undefined, other: WatchedObject | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return one === other;
  if (one.isReduced !== other.isReduced) return false;
  return one.uid === other.uid && one.resourceVersion === other.resourceVersion;
}

/** The same name with another uid is a deletion and a creation. */
export function changesBetween<Value extends WatchedObject>(
  before: Value | undefined,
  after: Value | undefined,
): readonly Change<Value>[] {
  if (isSame(before, after)) return [];
  if (before === undefined) {
    return after === undefined ? [] : [{ kind: 'added', value: after, previous: undefined }];
  }
  const gone = { kind: 'deleted', previous: before } as const;
  if (after === undefined) return [gone];
  if (before.uid !== after.uid) return [gone, { kind: 'added', value: after, previous: undefined }];
  return [{ kind: 'modified', value: after, previous: before }];
}
