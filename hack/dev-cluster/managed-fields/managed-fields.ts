import { isDeepStrictEqual } from 'node:util';
import { withMeta, type ApiObject } from '../api/object.ts';
import { applyConflict } from '../api/status.ts';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, listRulesOf, type Kind } from '../kinds/kind.ts';
import { fieldPathsOf, fieldsV1, pathsOf, pathText } from './field-paths.ts';

/** What server-side apply sets, and whether it takes from other managers what they have set to other values. */
export interface Applies {
  readonly paths: ReadonlySet<string>;
  readonly force: boolean;
}

/** Who writes, and when. */
export interface Writer {
  readonly manager: string;
  readonly time: string;
  readonly applies?: Applies | undefined;
}

/** Who has set which fields of an object, and how. */
export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly paths: readonly string[];
  readonly entry: Json;
}

/** What kubectl applied by itself before, it may go on with by server-side apply. */
const SUCCEEDED: ReadonlyMap<string, string> = new Map([['kubectl', 'kubectl-client-side-apply']]);

export function ownersOf(object: ApiObject | undefined): readonly Owner[] {
  return listAt(object?.metadata['managedFields']).map((entry) => ({
    manager: textAt(entry, 'manager'),
    operation: textAt(entry, 'operation'),
    paths: pathsOf(objectAt(entry, 'fieldsV1') ?? {}),
    entry,
  }));
}

/**
 * The object with metadata.managedFields kept up to date, as every real object has them: whoever sets or changes a field owns it
 * from then on, and whoever applies it does so, too, where it has that value already.
 * @throws {ApiError} 409 where server-side apply would change what others own
 */
export function withManagedFields(
  kind: Kind,
  draft: ApiObject,
  previous: ApiObject | undefined,
  writer: Writer,
): ApiObject {
  const now = fieldPathsOf(draft, listRulesOf(kind));
  const before = previous === undefined ? new Map<string, Json>() : fieldPathsOf(previous, listRulesOf(kind));
  const changed = [...now]
    .filter(([path, value]) => !isDeepStrictEqual(before.get(path), value))
    .map(([path]) => path);
  const taken = new Set(changed);
  const operation = writer.applies === undefined ? 'Update' : 'Apply';
  const isWriter = (owner: Owner): boolean =>
    owner.manager === writer.manager && owner.operation === operation;
  const owners = ownersOf(previous);
  checkConflicts(
    owners.filter((owner) => !isWriter(owner)),
    taken,
    writer,
  );
  const set =
    writer.applies === undefined ? changed : [...writer.applies.paths].filter((path) => now.has(path));
  const entries = owners.map((owner) => {
    const kept = owner.paths.filter((path) => now.has(path) && !taken.has(path));
    if (!isWriter(owner)) return entryOf(kind, { ...owner, time: writer.time }, kept, owner.entry);
    return entryOf(
      kind,
      { ...writer, operation },
      operation === 'Apply' ? set : [...kept, ...set],
      owner.entry,
    );
  });
  const isNew = !owners.some(isWriter);
  const all = isNew ? [...entries, entryOf(kind, { ...writer, operation }, set, undefined)] : entries;
  const managedFields: readonly Json[] = all.filter((entry) => entry !== undefined);
  return withMeta(draft, { managedFields: managedFields.length === 0 ? undefined : managedFields });
}

function checkConflicts(others: readonly Owner[], changed: ReadonlySet<string>, writer: Writer): void {
  const { applies, manager } = writer;
  if (applies === undefined || applies.force) return;
  const conflicts = others
    .filter((owner) => owner.manager !== SUCCEEDED.get(manager))
    .flatMap(({ manager: name, operation, entry, paths }) => {
      const how = operation === 'Update' ? ` using ${textAt(entry, 'apiVersion')}` : '';
      return paths
        .filter((path) => applies.paths.has(path) && changed.has(path))
        .map((path) => ({ manager: `${JSON.stringify(name)}${how}`, field: pathText(path) }));
    });
  if (conflicts.length > 0) throw applyConflict(conflicts);
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
  { manager, operation, time }: Pick<Owner, 'manager' | 'operation'> & Pick<Writer, 'time'>,
  paths: readonly string[],
  previous: Json | undefined,
): JsonObject | undefined {
  if (paths.length === 0) return undefined;
  const fields = fieldsV1([...paths].sort());
  const same = previous !== undefined && isDeepStrictEqual(fields, objectAt(previous, 'fieldsV1'));
  return {
    manager,
    operation,
    apiVersion: apiVersionOf(kind),
    time: same ? textAt(previous, 'time') : time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  };
}
