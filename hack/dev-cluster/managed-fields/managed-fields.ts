import { isDeepStrictEqual } from 'node:util';
import { withMeta, type ApiObject } from '../api/object.ts';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, type Kind } from '../kinds/kind.ts';
import { METADATA_LIST_RULES } from '../patches/list-merge-rules.ts';
import { fieldPathsOf, fieldsV1, pathsOf } from './field-paths.ts';

/** Who writes, and when. */
export interface Writer {
  readonly manager: string;
  readonly time: string;
}

/**
 * The object with metadata.managedFields kept up to date, as every real object has them: whoever sets or
 * changes a field owns it from then on. Server-side apply, which would use them, is not offered.
 */
export function withManagedFields(
  kind: Kind,
  draft: ApiObject,
  previous: ApiObject | undefined,
  writer: Writer,
): ApiObject {
  const rules = { ...METADATA_LIST_RULES, ...kind.listMergeRules };
  const now = fieldPathsOf(draft, rules);
  const before = previous === undefined ? new Map<string, string>() : fieldPathsOf(previous, rules);
  const changed = [...now].filter(([path, value]) => before.get(path) !== value).map(([path]) => path);
  const taken = new Set(changed);
  const entries = listAt(previous?.metadata['managedFields']).map((entry) => {
    const owned = pathsOf(objectAt(entry, 'fieldsV1') ?? {});
    const kept = owned.filter((path) => now.has(path) && !taken.has(path));
    if (textAt(entry, 'manager') === writer.manager)
      return entryOf(kind, writer, [...kept, ...changed], entry);
    return entryOf(kind, { manager: textAt(entry, 'manager'), time: writer.time }, kept, entry);
  });
  const isNew = !entries.some((entry) => entry?.['manager'] === writer.manager);
  const all = isNew ? [...entries, entryOf(kind, writer, changed, undefined)] : entries;
  const managedFields: readonly Json[] = all.filter((entry) => entry !== undefined);
  return withMeta(draft, { managedFields: managedFields.length === 0 ? undefined : managedFields });
}

/** The object without the fields that record who wrote it: two states that differ only there are equal. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  return withMeta(object, { managedFields: undefined });
}

/** The name under which a client's changes are kept: what it says, or the name of its program. */
export function managerOf(query: URLSearchParams, userAgent: string | undefined): string {
  const given = query.get('fieldManager') ?? '';
  if (given !== '') return given;
  const program = (userAgent ?? '').split('/')[0]?.trim() ?? '';
  return program === '' ? 'unknown' : program;
}

/** An entry whose set of fields has not changed keeps its time; one without fields is dropped. */
function entryOf(
  kind: Kind,
  { manager, time }: Writer,
  paths: readonly string[],
  previous: Json | undefined,
): JsonObject | undefined {
  if (paths.length === 0) return undefined;
  const fields = fieldsV1([...paths].sort());
  const same = previous !== undefined && isDeepStrictEqual(fields, objectAt(previous, 'fieldsV1'));
  return {
    manager,
    operation: 'Update',
    apiVersion: apiVersionOf(kind),
    time: same ? textAt(previous, 'time') : time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  };
}
