import { isDeepStrictEqual } from 'node:util';
import { isObject, own, type Json, type JsonObject } from '../json/json.ts';

export interface KeyedMerge {
  /** The field that identifies an item. */
  readonly key: string;
  /** The order that the patch requests, as items that hold only the key. */
  readonly order: readonly Json[] | undefined;
  readonly mergeItem: (item: JsonObject, change: JsonObject) => JsonObject;
}

/**
 * Merges lists of objects by the key of their items, and of plain values as sets. `$patch: delete` removes an object,
 * `$patch: replace` the list.
 */
export function mergeByKey(live: readonly Json[], items: readonly Json[], how: KeyedMerge): readonly Json[] {
  const identity = (item: Json): Json => (isObject(item) ? (own(item, how.key) ?? null) : item);
  const directive = (item: Json): Json | undefined => (isObject(item) ? own(item, '$patch') : undefined);
  const added = items.filter((item) => directive(item) === undefined || directive(item) === 'merge');
  if (items.some((item) => directive(item) === 'replace')) return added;
  const gone = items.filter((item) => directive(item) === 'delete').map(identity);
  const merged = new Map<Json, Json>();
  for (const item of live) if (!gone.includes(identity(item))) merged.set(identity(item), item);
  for (const change of added)
    merged.set(identity(change), mergedItem(merged.get(identity(change)), change, how));
  const order = (how.order ?? added).map(identity);
  const ids = [...merged.keys()];
  const fromPatch = sorted(
    ids.filter((id) => order.includes(id)),
    order,
  );
  const liveOnly = ids.filter((id) => !order.includes(id));
  return interleave(liveOnly, fromPatch, live.map(identity)).map((id) => merged.get(id) ?? null);
}

function mergedItem(current: Json | undefined, change: Json, how: KeyedMerge): Json {
  if (!isObject(change)) return change;
  return how.mergeItem(isObject(current) ? current : {}, change);
}

function sorted(items: readonly Json[], order: readonly Json[]): readonly Json[] {
  return items.toSorted((a, b) => indexOf(order, a) - indexOf(order, b));
}

function indexOf(list: readonly Json[], item: Json): number {
  return list.findIndex((candidate) => isDeepStrictEqual(candidate, item));
}

/**
 * Puts the items that only the live list has between those of the patch. An item goes before the first
 * item of the patch that follows it in the live list; what the live list does not know stands first.
 */
function interleave(
  liveOnly: readonly Json[],
  fromPatch: readonly Json[],
  live: readonly Json[],
): readonly Json[] {
  const rest = [...liveOnly];
  const result: Json[] = [];
  for (const item of fromPatch) {
    const place = indexOf(live, item);
    while (place >= 0 && rest[0] !== undefined && indexOf(live, rest[0]) < place)
      result.push(rest.shift() ?? null);
    result.push(item);
  }
  return [...result, ...rest];
}
