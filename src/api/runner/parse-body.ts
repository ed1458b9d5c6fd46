import type * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';

type Path = readonly PropertyKey[];

export interface ParseOptions {
  /** Fields that other tools use and that this API refuses with a reason of its own. */
  readonly refusals?: ReadonlyMap<string, string>;
  /** How an error names the invalid place; by default the field of the body. */
  readonly placeOf?: (path: Path) => string;
}

/**
 * Reads a body by its schema. An error names the field and the rule, and never what was sent: a value may be in the
 * wrong place.
 * @throws {ServiceError} `invalidRequest`
 */
export function parseBody<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  body: unknown,
  { refusals = new Map(), placeOf = fieldOf }: ParseOptions = {},
): z.output<z.ZodObject<Shape, z.core.$strict>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The request body must be a JSON object');
  }
  const unknownField = Object.keys(body).find((field) => !Object.hasOwn(schema.shape, field));
  if (unknownField !== undefined) throw invalid(refusals.get(unknownField) ?? unknownFieldRule(unknownField));
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') throw invalid(unknownFieldRule(issue.keys[0] ?? '', issue.path));
  throw invalid(`${placeOf(issue?.path ?? [])} ${issue?.message ?? 'is malformed'}`);
}

/** `consumers[0].kind`; the fields are the schema's own. */
export function fullPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function fieldOf([field]: Path): string {
  return String(field ?? 'The request body');
}

/** Identifiers, and other names without digits: nearly all keys and tokens have digits. */
const FIELD_NAMES = [/^[A-Za-z][A-Za-z0-9_]{0,63}$/, /^[A-Za-z_$][A-Za-z_$.-]{0,63}$/];

/** Repeats a name only if it looks like a field: anything else may be a value in the wrong place. */
function unknownFieldRule(field: string, within: Path = []): string {
  return FIELD_NAMES.some((form) => form.test(field))
    ? `Unknown field ${fullPath([...within, field])}`
    : 'The request body has an unknown field';
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalidRequest', message);
}
