import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FieldSchema } from './kubernetes-schemas.ts';

/** The fields of a model in one version. */
export type Fields = ReadonlyMap<string, Pick<FieldSchema, 'type' | 'required'>>;

interface Attribute {
  readonly name: string;
  readonly baseName: string;
  readonly type: string;
}

/**
 * Reads the models of an unpacked @kubernetes/client-node, which are generated from Kubernetes' OpenAPI document: the table of
 * attributes from the code, and what is required from the types.
 * @param folder the package's `dist/gen`
 * @returns the models that the given ones consist of
 * @throws for a package that was made from another version of Kubernetes
 */
export function readModels(
  folder: string,
  version: string,
  names: readonly string[],
): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>();
  const wanted = [...names];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (found.has(name)) continue;
    const fields = readModel(folder, version, name);
    found.set(name, fields);
    wanted.push(...[...fields.values()].flatMap(({ type }) => modelIn(type) ?? []));
  }
  return found;
}

/** The model that a type is made of. */
export function modelIn(type: string): string | undefined {
  return /^(?:\[\]|\{\})?((?:[A-Z][a-z]+)?V\d\w*)$/.exec(type)?.[1];
}

function readModel(folder: string, version: string, name: string): Fields {
  const file = fileOf(folder, name);
  const code = readFileSync(`${file}.js`, 'utf8');
  const [, made = ''] = /OpenAPI (?:spec version|document): (?:release-|v)(\d+\.\d+)/.exec(code) ?? [];
  if (made !== version) throw new Error(`${file}.js is not from Kubernetes ${version}`);
  const types = readFileSync(`${file}.d.ts`, 'utf8');
  const [, table] = code.split('.attributeTypeMap = ');
  const end = table?.indexOf('\n];') ?? -1;
  if (table === undefined || end === -1) throw new Error(`${file}.js has no table of attributes`);
  const isOptional = new Map(
    [...types.matchAll(/^ {4}'(\w+)'(\??):/gm)].map(([, property = '', sign]) => [property, sign === '?']),
  );
  return new Map(
    (JSON.parse(table.slice(0, end + 2)) as readonly Attribute[]).map((attribute) => [
      attribute.baseName,
      {
        type: plainType(attribute.type),
        ...(isOptional.get(attribute.name) === false ? { required: true as const } : {}),
      },
    ]),
  );
}

/** Files begin with a small letter until version 1 of the package. */
function fileOf(folder: string, name: string): string {
  const file = path.join(folder, 'models', name);
  return existsSync(`${file}.js`)
    ? file
    : path.join(folder, 'model', `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
}

function plainType(type: string): string {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list !== undefined) return `[]${plainType(list)}`;
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (map !== undefined) return `{}${plainType(map)}`;
  if (type === 'Date' || type === 'V1MicroTime') return 'string';
  if (type === 'object') return 'any';
  if (['string', 'number', 'boolean', 'any', 'IntOrString'].includes(type) || modelIn(type) === type)
    return type;
  throw new Error(`The type ${type} is not known`);
}
