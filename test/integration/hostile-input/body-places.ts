/** As far as the OpenAPI document of this service uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export type Components = Readonly<Record<string, Schema>>;

/** A place in a body where a text can stand. */
export interface BodyPlace {
  readonly where: string;
  /** The whole body, with this text in the place. */
  readonly fill: (text: string) => unknown;
}

const MANY = 3_000;
/** Stands for a text that is put into a body later. */
const PLACEHOLDER = '"the text"';

/** A text, and the bytes of its JSON: of a large one they are made once for all places. */
export interface EncodedText {
  readonly text: string;
  readonly json: Buffer;
}

export const encoded = (text: string): EncodedText => ({ text, json: Buffer.from(JSON.stringify(text)) });

/** The pieces of a body with this text in the place. */
export function bodyWith({ text, json }: EncodedText, { fill }: BodyPlace): readonly Buffer[] {
  const [before = '', after] = JSON.stringify(fill(JSON.parse(PLACEHOLDER) as string)).split(PLACEHOLDER);
  // The place takes the text in many parts.
  if (after === undefined) return [Buffer.from(JSON.stringify(fill(text)))];
  return [Buffer.from(before), json, Buffer.from(after)];
}

/** Every place of the bodies that a schema describes: values, entries, names of fields and keys of maps. */
export function bodyPlaces(schema: Schema, components: Components): readonly BodyPlace[] {
  const { anyOf, oneOf, ...plain } = resolved(schema, components);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return choices.flatMap((choice) => bodyPlaces(choice, components));
  if (plain.items !== undefined) return arrayPlaces(plain.items, components);
  if (plain.properties !== undefined || typeof plain.additionalProperties === 'object') {
    return objectPlaces(plain, components);
  }
  return [{ where: '', fill: (text) => text }];
}

function objectPlaces(schema: Schema, components: Components): readonly BodyPlace[] {
  const whole = sampleOf(schema, components) as object;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    bodyPlaces(field, components).map(({ where, fill }) => ({
      where: `.${name}${where}`,
      fill: (text: string) => ({ ...whole, [name]: fill(text) }),
    })),
  );
  const { additionalProperties: values } = schema;
  const ofMap =
    typeof values !== 'object'
      ? []
      : bodyPlaces(values, components).map(({ where, fill }) => ({
          where: `.*${where}`,
          fill: (text: string) => ({ key: fill(text) }),
        }));
  const names = [
    { where: '.<name>', fill: (text: string) => ({ ...whole, [text]: 'a' }) },
    {
      where: `.<${MANY} names>`,
      fill: (text: string) => ({
        ...whole,
        ...Object.fromEntries(many(text).map((part, at) => [`${part}${at}`, 'a'])),
      }),
    },
  ];
  return [...fields, ...ofMap, ...names];
}

function arrayPlaces(items: Schema, components: Components): readonly BodyPlace[] {
  return bodyPlaces(items, components).flatMap(({ where, fill }) => [
    { where: `[0]${where}`, fill: (text: string) => [fill(text)] },
    // Many of many would be more than any body can hold.
    ...(where.includes('<')
      ? []
      : [{ where: `[${MANY}]${where}`, fill: (text: string) => many(text).map(fill) }]),
  ]);
}

/** The same text in many small parts. */
function many(text: string): readonly string[] {
  const length = Math.max(1, Math.min(250, Math.floor(text.length / MANY)));
  return Array.from({ length: MANY }, (_, index) => text.slice(index * length, (index + 1) * length));
}

/** A body that the schema takes. */
function sampleOf(schema: Schema, components: Components): unknown {
  const plain = resolved(schema, components);
  const choice = plain.anyOf?.[0] ?? plain.oneOf?.[0];
  if (choice !== undefined) return sampleOf(choice, components);
  if (plain.const !== undefined) return plain.const;
  if (plain.enum !== undefined) return plain.enum[0];
  if (plain.items !== undefined) return [sampleOf(plain.items, components)];
  const [type] = [plain.type].flat();
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'string') return 'a';
  return Object.fromEntries(
    Object.entries(plain.properties ?? {}).map(([name, field]) => [name, sampleOf(field, components)]),
  );
}

function resolved(schema: Schema, components: Components): Schema {
  return schema.$ref === undefined ? schema : (components[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}
