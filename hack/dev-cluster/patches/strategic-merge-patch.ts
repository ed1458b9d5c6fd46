import { isObject, listAt, own, type Json, type JsonObject } from '../json/json.ts';
import { mergeByKey } from './strategic-lists.ts';
import { type ListMergeRules } from './list-merge-rules.ts';

const SET_ORDER = '$setElementOrder/';
const DELETE_FROM_SET = '$deleteFromPrimitiveList/';
const RETAIN_KEYS = '$retainKeys';

/**
 * Kubernetes' strategic merge patch: a merge patch in which the lists named by `rules` are merged too, and
 * which supports `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.
 */
export function strategicMergePatch(
  target: JsonObject,
  patch: JsonObject,
  rules: ListMergeRules,
  path = '',
): JsonObject {
  const directive = own(patch, '$patch');
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  const merged = new Map(Object.entries(retained(target, patch)));
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith('$') || value === undefined) continue;
    if (value === null) merged.delete(field);
    else merged.set(field, mergeField({ field, rules, path }, merged.get(field), value, patch));
  }
  for (const field of reorderedOnly(patch)) {
    const result = mergeField({ field, rules, path }, merged.get(field), [], patch);
    if (Array.isArray(result) && result.length > 0) merged.set(field, result);
    else merged.delete(field);
  }
  return Object.fromEntries(merged);
}

interface Place {
  readonly field: string;
  readonly rules: ListMergeRules;
  readonly path: string;
}

function mergeField(place: Place, current: Json | undefined, value: Json, patch: JsonObject): Json {
  const path = place.path === '' ? place.field : `${place.path}.${place.field}`;
  if (Array.isArray(value)) return mergeList({ ...place, path }, current, value as readonly Json[], patch);
  if (!isObject(value)) return value;
  return strategicMergePatch(isObject(current) ? current : {}, value, place.rules, path);
}

function mergeList(place: Place, current: Json | undefined, items: readonly Json[], patch: JsonObject): Json {
  const rule = Object.hasOwn(place.rules, place.path) ? place.rules[place.path] : undefined;
  if (rule === undefined) return items;
  const live = Array.isArray(current) ? (current as readonly Json[]) : [];
  const order = own(patch, SET_ORDER + place.field);
  const wanted = Array.isArray(order) ? (order as readonly Json[]) : undefined;
  const mergeItem = (item: JsonObject, change: JsonObject): JsonObject =>
    strategicMergePatch(item, change, place.rules, place.path);
  if (rule !== 'set') return mergeByKey(live, items, { key: rule.key, order: wanted, mergeItem });
  const removed = listAt(patch, DELETE_FROM_SET + place.field);
  const kept = live.filter((item) => !removed.includes(item));
  return mergeByKey(kept, items, { key: '', order: wanted, mergeItem });
}

/** Lists that the patch only reorders or removes from: they have directives, but no items of their own. */
function reorderedOnly(patch: JsonObject): readonly string[] {
  const fields = Object.keys(patch).flatMap((key) =>
    [SET_ORDER, DELETE_FROM_SET]
      .filter((prefix) => key.startsWith(prefix))
      .map((prefix) => key.slice(prefix.length)),
  );
  return [...new Set(fields)].filter((field) => own(patch, field) === undefined);
}

function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = own(patch, RETAIN_KEYS);
  if (!Array.isArray(keys)) return target;
  const kept = new Set(keys as readonly Json[]);
  return Object.fromEntries(Object.entries(target).filter(([key]) => kept.has(key)));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}
