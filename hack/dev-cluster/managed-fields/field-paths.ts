import { at, isObject, objectAt, own, withField, type Json, type JsonObject } from '../json/json.ts';
import { type ListMergeRules } from '../patches/list-merge-rules.ts';

/** The fields of an object: the path of each, in the notation of FieldsV1, and its value. */
export type FieldPaths = ReadonlyMap<string, Json>;

/** Between the segments of a path. It stands in no segment: keys are written as JSON, which escapes it. */
const SEPARATOR = '\u0000';
/** Maps of the user's own keys; having the map at all is a field of its own (`.`). */
const MAPS: ReadonlySet<string> = new Set(['metadata.labels', 'metadata.annotations', 'data', 'binaryData']);
/** Metadata that belongs to the cluster and to no manager. */
const CLUSTERS_OWN: ReadonlySet<string> = new Set([
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'managedFields'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
]);

/** All fields of an object that managers can own. */
export function fieldPathsOf(object: JsonObject, rules: ListMergeRules): FieldPaths {
  const found = new Map<string, Json>();
  collect({ value: object, segments: [], field: '' }, rules, found);
  return found;
}

/** The fields that a patch of server-side apply sets: those of a map or a list, and not that there is one. */
export function appliedPaths(config: JsonObject, rules: ListMergeRules): ReadonlySet<string> {
  const { apiVersion: _apiVersion, kind: _kind, ...fields } = config;
  const all = [...fieldPathsOf(fields, rules).keys()];
  return new Set(
    all.filter(
      (path) => !path.endsWith(`${SEPARATOR}.`) || path.split(SEPARATOR).at(-2)?.startsWith('k:') === true,
    ),
  );
}

/** The object without the fields of some paths, but those of which, or below which, others keep something. */
export function withoutPaths(
  object: JsonObject,
  paths: readonly string[],
  kept: readonly string[],
): JsonObject {
  const held = new Set(
    kept.flatMap((path) => path.split(SEPARATOR).map((_, i, all) => all.slice(0, i + 1).join(SEPARATOR))),
  );
  return paths
    .map((path) => path.split(SEPARATOR).filter((segment) => segment !== '.'))
    .filter((segments) => !held.has(segments.join(SEPARATOR)))
    .reduce<JsonObject>((rest, segments) => objectAt(without(rest, segments)) ?? {}, object);
}

function without(value: Json | undefined, [first = '', ...rest]: readonly string[]): Json | undefined {
  const name = first.slice(2);
  if (isObject(value))
    return withField(value, name, rest.length === 0 ? undefined : without(own(value, name), rest));
  if (!Array.isArray(value)) return value;
  const isNamed = (item: Json): boolean =>
    first.startsWith('k:')
      ? Object.entries(JSON.parse(name) as JsonObject).every(([key, id]) => at(item, key) === id)
      : JSON.stringify(item) === name;
  const list = value as readonly Json[];
  if (rest.length === 0) return list.filter((item) => !isNamed(item));
  // The field by which an item of a list is found stays as long as the item does.
  const isKey =
    first.startsWith('k:') && Object.hasOwn(JSON.parse(name) as JsonObject, rest[0]?.slice(2) ?? '');
  return isKey ? list : list.map((item) => (isNamed(item) ? (without(item, rest) ?? null) : item));
}

/** A path as people read it: `.spec.containers[name="a"].image`. */
export function pathText(path: string): string {
  const texts = path.split(SEPARATOR).map((segment) => {
    const name = segment.slice(2);
    if (segment.startsWith('f:')) return `.${name}`;
    if (segment.startsWith('v:')) return `[=${name}]`;
    if (!segment.startsWith('k:')) return '';
    const keys = Object.entries(JSON.parse(name) as JsonObject);
    return `[${keys.map(([key, id]) => `${key}=${JSON.stringify(id)}`).join(',')}]`;
  });
  return texts.join('');
}

/** The FieldsV1 of some paths. */
export function fieldsV1(paths: Iterable<string>): JsonObject {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const end = path.indexOf(SEPARATOR);
    const first = end < 0 ? path : path.slice(0, end);
    const group = groups.get(first) ?? [];
    groups.set(first, group);
    if (end >= 0) group.push(path.slice(end + 1));
  }
  return Object.fromEntries([...groups].map(([segment, rest]) => [segment, fieldsV1(rest)]));
}

/** The paths that a FieldsV1 names. */
export function pathsOf(fields: JsonObject, prefix: readonly string[] = []): readonly string[] {
  return Object.entries(fields).flatMap(([segment, below]) => {
    const path = [...prefix, segment];
    return isObject(below) && Object.keys(below).length > 0 ? pathsOf(below, path) : [path.join(SEPARATOR)];
  });
}

interface Place {
  readonly value: Json;
  readonly segments: readonly string[];
  /** The path by which list rules and maps are known. */
  readonly field: string;
}

function collect(place: Place, rules: ListMergeRules, found: Map<string, Json>): void {
  const { value, segments, field } = place;
  const note = (path: readonly string[], what: Json): void => void found.set(path.join(SEPARATOR), what);
  const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
  if (Array.isArray(value) && rule !== undefined) {
    note([...segments, '.'], true);
    for (const item of value as readonly Json[]) collectItem(place, item, rules, found);
  } else if (isObject(value) && Object.keys(value).length > 0) {
    if (MAPS.has(field)) note([...segments, '.'], true);
    for (const [key, below] of Object.entries(value)) {
      if (below === undefined || isClusters(field, key)) continue;
      const next = field === '' ? key : `${field}.${key}`;
      collect({ value: below, segments: [...segments, `f:${key}`], field: next }, rules, found);
    }
  } else {
    note(segments, value);
  }
}

function isClusters(field: string, key: string): boolean {
  return (field === '' && key === 'status') || (field === 'metadata' && CLUSTERS_OWN.has(key));
}

function collectItem(list: Place, item: Json, rules: ListMergeRules, found: Map<string, Json>): void {
  const rule = rules[list.field];
  if (rule === undefined || rule === 'set' || !isObject(item)) {
    found.set([...list.segments, `v:${JSON.stringify(item)}`].join(SEPARATOR), '');
    return;
  }
  const segment = `k:${JSON.stringify({ [rule.key]: own(item, rule.key) ?? null })}`;
  found.set([...list.segments, segment, '.'].join(SEPARATOR), '');
  for (const [key, below] of Object.entries(item)) {
    if (below === undefined) continue;
    const segments = [...list.segments, segment, `f:${key}`];
    collect({ value: below, segments, field: `${list.field}.${key}` }, rules, found);
  }
}
