import { withMeta, type ApiObject } from '../api/object.ts';
import { type Change } from '../store/history.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

/**
 * What a watch with a selector makes of a change: an object that enters the selection is ADDED, one that
 * leaves it is DELETED in its last selected state under the change's revision.
 */
export function eventOf(change: Change, matches: (object: ApiObject) => boolean): WatchEvent | undefined {
  const { previous, object, revision } = change;
  const before = previous !== undefined && matches(previous) ? previous : undefined;
  if (change.type !== 'DELETED' && matches(object)) {
    return { type: before === undefined ? 'ADDED' : 'MODIFIED', object };
  }
  if (before === undefined) return undefined;
  return { type: 'DELETED', object: withMeta(before, { resourceVersion: String(revision) }) };
}
