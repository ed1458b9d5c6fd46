import { parse } from 'yaml';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON schema of the values, by which Helm refuses a misspelled one: the types are those of the defaults. An empty map
 * takes any key, an empty text may stay empty.
 */
export function valuesSchema(defaults: string): string {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(parse(defaults)) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function schemaOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value !== 'object' || value === null) {
    return { type: typeof value === 'number' ? 'integer' : typeof value };
  }
  const fields = Object.entries(value);
  if (fields.length === 0) return { type: 'object' };
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)]));
  // Kubernetes' own, which has more fields than the defaults use.
  return { type: 'object', properties, ...('limits' in value ? {} : { additionalProperties: false }) };
}
