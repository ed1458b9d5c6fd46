// Writes src/api/schema.ts, the client's types, from the OpenAPI document that the service serves;
// with --check it only compares. Runs in the service's folder, with its dependencies.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { RULE_LISTS } from '../../src/contract/access-rules.ts';
import { apiDocument } from '../../hack/openapi/document.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const FILE = new URL('../src/api/schema.ts', import.meta.url).pathname;
const DOCUMENT = apiDocument() as Document;

const LIST: Schema = { type: 'array', items: { type: 'string' } };
const RULES: Schema = {
  properties: Object.fromEntries(RULE_LISTS.map((list) => [list, LIST])),
  required: ['allowedGroups', 'allowedUsers'],
};
/** The schemas with names; and access rules, a type of the contract, all of which bodies may leave out. */
const BASES: Readonly<Record<string, Schema>> = {
  ...DOCUMENT.components.schemas,
  AccessRules: RULES,
  'Partial<AccessRules>': { ...RULES, required: [] },
};

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((item) => JSON.stringify(item)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return union.map(typeOf).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

/** One that has all the fields of a base names that one, and its own. */
function objectType(schema: Schema): string {
  const { properties, additionalProperties } = schema;
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `{ readonly [key: string]: ${value} }`;
  }
  const own = fieldsOf(schema);
  for (const [name, base] of Object.entries(BASES)) {
    const names = Object.keys(base.properties ?? {});
    if (base === schema || names.length === 0 || !names.every((one) => one in properties)) continue;
    const fields = fieldsOf(base);
    if (!fields.every((field) => own.includes(field))) continue;
    const others = own.filter((field) => !fields.includes(field));
    return others.length === 0 ? name : `${name} & { ${others.join(' ')} }`;
  }
  return `{ ${own.join(' ')} }`;
}

function fieldsOf({ properties = {}, required = [] }: Schema): readonly string[] {
  return Object.entries(properties).map(
    ([name, schema]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
}

function source({ paths, components }: Document): string {
  const lines = [
    "// Made from the service's OpenAPI document by scripts/client-types.ts; not to be edited.",
    "import type { AccessRules } from '../../../src/contract/access-rules.ts';",
    '',
  ];
  for (const [name, schema] of Object.entries(components.schemas)) {
    lines.push(`export type ${name} = ${typeOf(schema)};`, '');
  }
  lines.push(
    '/** Bodies, where there are any, and successful answers by method and path. */',
    'export interface Operations {',
  );
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      // Redirects and bytes are nothing for a client of JSON.
      const answers = Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content }]) => content?.['application/json'] ?? [])
        .map(({ schema }) => typeOf(schema));
      if (answers.length === 0) continue;
      const body = requestBody?.content['application/json']?.schema;
      const bodyType = body === undefined ? '' : `body: ${typeOf(body)}; `;
      const answer = [...new Set(answers)].join(' | ');
      lines.push(`'${method.toUpperCase()} ${path}': { ${bodyType}answer: ${answer} };`);
    }
  }
  return [...lines, '}', ''].join('\n');
}

const wanted = execFileSync('npm', ['exec', '--', 'oxfmt', '--stdin-filepath', FILE], {
  input: source(DOCUMENT),
  encoding: 'utf8',
});
if (!process.argv.includes('--check')) writeFileSync(FILE, wanted);
else if (readFileSync(FILE, 'utf8') !== wanted) {
  console.error(
    'web/src/api/schema.ts is not what the OpenAPI document says: npm --prefix web run client-types',
  );
  process.exitCode = 1;
}
