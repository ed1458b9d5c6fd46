import { parse } from 'yaml';

type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const OBJECT = { type: 'object' };

/** What the defaults do not show. */
const OTHERS: Readonly<Record<string, Schema>> = {
  // Kubernetes' own.
  affinity: OBJECT,
  resources: OBJECT,
  namespaces: { type: 'array', items: TEXT },
  // Helm writes a longer number as 1e+06.
  settings: { ...OBJECT, additionalProperties: { type: ['string', 'number', 'boolean'], maximum: 999_999 } },
  // Helm adds it where the chart is part of another.
  global: OBJECT,
};

/**
 * The JSON schema of the values, by which Helm refuses a misspelled one: the types are those of the defaults. An empty map
 * takes any key with a text, an empty list any object, an empty text may stay empty.
 */
export function valuesSchema(defaults: string): string {
  const { properties, ...schema } = schemaOf(parse(defaults));
  const all = { ...(properties as object), ...OTHERS };
  const whole = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema, properties: all };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function schemaOf(value: unknown): Schema {
  if (Array.isArray(value))
    return { type: 'array', items: typeof value[0] === 'number' ? { type: 'integer' } : OBJECT };
  if (typeof value !== 'object' || value === null) {
    return { type: typeof value === 'number' ? 'integer' : typeof value };
  }
  const fields = Object.entries(value);
  if (fields.length === 0) return { ...OBJECT, additionalProperties: TEXT };
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)]));
  return { ...OBJECT, properties, additionalProperties: false };
}
