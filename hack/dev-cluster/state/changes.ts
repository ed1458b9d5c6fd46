import { type ApiObject } from '../api/object.ts';
import { at, isObject, textAt, type Json, type JsonObject } from '../json/json.ts';
import { type Change } from '../store/history.ts';
import { type Store } from '../store/store.ts';

/**
 * The history as a state file holds it. What follows from the changes before, or is among the objects, is left out: the state
 * before a change is that after the last one of the same key.
 */
export function storedChanges(store: Store): readonly JsonObject[] {
  const seen = new Set<string>();
  return store.changesSince(store.compacted).map(({ type, revision, resource, key, object, previous }) => {
    const id = `${resource} ${key}`;
    const isFirst = !seen.has(id);
    seen.add(id);
    const isCurrent = store.current(resource, key) === object;
    return {
      type,
      revision,
      resource,
      key,
      ...(!isCurrent && { object }),
      ...(isFirst && previous !== undefined && { previous }),
    };
  });
}

/** @param objects of the same file */
export function savedChanges(
  lines: readonly Json[],
  objects: readonly (readonly [resource: string, key: string, object: ApiObject])[],
): readonly Change[] {
  const current = new Map(objects.map(([resource, key, object]) => [`${resource} ${key}`, object]));
  const last = new Map<string, ApiObject | undefined>();
  return lines.map((line) => {
    const [resource, key, type] = ['resource', 'key', 'type'].map((field) => textAt(line, field)) as [
      string,
      string,
      string,
    ];
    const id = `${resource} ${key}`;
    const object = objectOf(at(line, 'object')) ?? current.get(id);
    const revision = at(line, 'revision');
    if (typeof revision !== 'number' || object === undefined || !isType(type))
      throw new SyntaxError('no change');
    const previous = last.has(id) ? last.get(id) : objectOf(at(line, 'previous'));
    last.set(id, type === 'DELETED' ? undefined : object);
    return { type, revision, resource, key, object, previous };
  });
}

function objectOf(value: Json | undefined): ApiObject | undefined {
  return isObject(value) ? (value as ApiObject) : undefined;
}

function isType(type: string): type is Change['type'] {
  return ['ADDED', 'MODIFIED', 'DELETED'].includes(type);
}
