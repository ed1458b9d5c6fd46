import type { Fields } from './extract-schemas.ts';
import type { FieldSchema, KubernetesSchemas } from './kubernetes-schemas.ts';

/** The models of one version; undefined where there is no source for it. */
export interface VersionModels {
  readonly version: string;
  readonly models: ReadonlyMap<string, Fields> | undefined;
}

/**
 * Joins the models of versions in ascending order: each schema of a field with the versions in which it is the same.
 * A version without a source has what both of its neighbours have: Kubernetes removes no field of a stable API and brings none back.
 */
export function joinModels(versions: readonly VersionModels[]): KubernetesSchemas['models'] {
  const known = versions.map(({ version }, index) => ({ version, models: modelsAt(versions, index) }));
  const names = new Set(known.flatMap(({ models }) => [...models.keys()]));
  return Object.fromEntries([...names].sort().map((name) => [name, joinFields(known, name)]));
}

function modelsAt(versions: readonly VersionModels[], index: number): ReadonlyMap<string, Fields> {
  const own = versions[index]?.models;
  if (own !== undefined) return own;
  const [before, after] = [versions[index - 1]?.models, versions[index + 1]?.models];
  if (before === undefined || after === undefined)
    throw new Error('A version without a source needs two neighbours');
  return new Map([...before].map(([name, fields]) => [name, inBoth(fields, after.get(name))]));
}

function inBoth(before: Fields, after: Fields | undefined): Fields {
  const both: [string, Schema][] = [];
  for (const [field, schema] of before) {
    const later = after?.get(field);
    if (later?.type !== schema.type) continue;
    both.push([field, later.required === true ? schema : { type: schema.type }]);
  }
  return new Map(both);
}

function joinFields(
  versions: readonly { readonly version: string; readonly models: ReadonlyMap<string, Fields> }[],
  name: string,
): Readonly<Record<string, readonly FieldSchema[]>> {
  const [first, last] = [versions[0]?.version, versions.at(-1)?.version];
  const fields = new Set(versions.flatMap(({ models }) => [...(models.get(name)?.keys() ?? [])]));
  const schemasOf = (field: string): readonly FieldSchema[] =>
    runsOf(versions.map(({ version, models }) => ({ version, schema: models.get(name)?.get(field) }))).map(
      ({ schema, from, to }) => ({
        ...schema,
        ...(from === first ? {} : { since: from }),
        ...(to === last ? {} : { until: to }),
      }),
    );
  return Object.fromEntries([...fields].sort().map((field) => [field, schemasOf(field)]));
}

type Schema = Pick<FieldSchema, 'type' | 'required'>;

/** Neighbouring versions with the same schema; those without one are left out. */
function runsOf(versions: readonly { readonly version: string; readonly schema: Schema | undefined }[]) {
  const runs: { schema: Schema; from: string; to: string }[] = [];
  let open = false;
  for (const { version, schema } of versions) {
    const run = runs.at(-1);
    if (schema === undefined) open = false;
    else if (open && run !== undefined && isSame(run.schema, schema)) run.to = version;
    else {
      runs.push({ schema, from: version, to: version });
      open = true;
    }
  }
  return runs;
}

function isSame(one: Schema, other: Schema | undefined): boolean {
  return other?.type === one.type && other.required === one.required;
}
