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
  const before = change.previous !== undefined && matches(change.previous);
  if (change.type === 'DELETED') return before ? { type: 'DELETED', object: change.object } : undefined;
  const now = matches(change.object);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object: change.object };
  if (!before || change.previous === undefined) return undefined;
  return { type: 'DELETED', object: withMeta(change.previous, { resourceVersion: String(change.revision) }) };
}
