import * as z from 'zod';
import { isObject } from '../../contract/json-text.ts';
import { invalidRequest } from '../../errors/service-error.ts';

/** What a schema describes as handlers may return it: the same shape, read-only. */
export type Wire<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

/** The body of a write: its documentation and its check. */
export interface RequestBody<Input = unknown> {
  readonly schema: z.ZodObject;
  readonly example: unknown;
  /** Whether the body may be missing, and then counts as empty. */
  readonly isOptional?: true;
  /** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
  parse(body: unknown): Input;
}

interface BodySpec<Fields extends z.ZodRawShape> {
  readonly fields: Fields;
  readonly example: Wire<z.input<StrictObject<Fields>>>;
  readonly isOptional?: true;
  /** Fields that other tools use and that this API refuses with a reason of its own. */
  readonly refusals?: ReadonlyMap<string, string>;
}

type StrictObject<Fields extends z.ZodRawShape> = z.ZodObject<Fields, z.core.$strict>;

/** Declares a body. An example of another shape does not compile. */
export function requestBody<Fields extends z.ZodRawShape>({
  fields,
  refusals,
  ...spec
}: BodySpec<Fields>): RequestBody<z.output<StrictObject<Fields>>> {
  const schema = z.strictObject(fields);
  // An error names the field and the rule, and never what was sent: a value may be in the wrong place.
  const parse = (given: unknown) => {
    const body = given === undefined && spec.isOptional === true ? {} : given;
    if (!isObject(body)) throw invalidRequest('The request body must be a JSON object');
    const unknownField = Object.keys(body).find((field) => !Object.hasOwn(fields, field));
    if (unknownField !== undefined)
      throw invalidRequest(refusals?.get(unknownField) ?? unknownFieldRule(unknownField));
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    if (issue?.code === 'unrecognized_keys')
      throw invalidRequest(unknownFieldRule(issue.keys[0] ?? '', issue.path));
    throw invalidRequest(`${fullPath(issue?.path ?? [])} ${issue?.message ?? 'is malformed'}`);
  };
  return { ...spec, schema, parse };
}

/** `consumers[0].kind`; the fields are the schema's own. */
function fullPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

/** Identifiers, and other names without digits: nearly all keys and tokens have digits. */
const FIELD_NAMES = [/^[A-Za-z][A-Za-z0-9_]{0,63}$/, /^[A-Za-z_$][A-Za-z_$.-]{0,63}$/];

/** Repeats a name only if it looks like a field: anything else may be a value in the wrong place. */
function unknownFieldRule(field: string, within: readonly PropertyKey[] = []): string {
  return FIELD_NAMES.some((form) => form.test(field))
    ? `Unknown field ${fullPath([...within, field])}`
    : 'The request body has an unknown field';
}
