import * as z from 'zod';
import type { TextData } from '../../secrets/input.ts';
import { RULE_LISTS, type RuleList } from '../../contract/access-rules.ts';
import { isObject } from '../../contract/json-text.ts';
import { requestBody } from '../runner/request-body.ts';

/**
 * The shapes of request bodies. They check the types; the domain checks the values. The OpenAPI document is generated
 * from the same schemas.
 */

const TEXT_DATA_RULE = 'must be an object whose values are strings';

/**
 * A map with user-chosen keys, `__proto__` among them. zod's own maps lose such keys, so the own properties are read
 * into a Map here.
 */
const mapOf = (value: object, description: string) =>
  z
    .custom<Readonly<Record<string, unknown>>>(isObject, TEXT_DATA_RULE)
    .meta({ override: { type: 'object', additionalProperties: value }, description })
    .transform((object, context): TextData => {
      const texts = textsOf(object);
      if (texts !== undefined) return texts;
      context.addIssue({ code: 'custom', message: TEXT_DATA_RULE });
      return z.NEVER;
    });
const textData = mapOf({ type: 'string' }, 'Plain text values by key (not base64).');
const base64Data = mapOf({ type: 'string', contentEncoding: 'base64' }, 'Bytes by key, in canonical base64.');

/** Key by key: `Object.entries` takes several times as long for an object with many keys. */
function textsOf(object: Readonly<Record<string, unknown>>): TextData | undefined {
  const texts = new Map<string, string>();
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value !== 'string') return undefined;
    texts.set(key, value);
  }
  return texts;
}

const string = z.string('must be a string');
const optionalString = string.optional();
const requiredString = z.string('is required and must be a string');
/** Not `z.array`: it creates an issue for every invalid element, and a body may hold millions of them. */
const textList = z
  .custom<readonly string[]>(
    (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
    'must be an array of strings',
  )
  .meta({ override: { type: 'array', items: { type: 'string' } } });
const entries = textList.describe('At most 256 entries of at most 256 bytes of UTF-8, without commas.');

const rules = Object.fromEntries(RULE_LISTS.map((list) => [list, entries.optional()])) as Record<
  RuleList,
  ReturnType<typeof entries.optional>
>;

const resourceVersion = requiredString.describe('The loaded revision; not the version counter.');
const recoverCounter = z
  .boolean('must be true or false')
  .optional()
  .describe('Admins only: a snapshot collision has been reviewed.');

const changeNote = optionalString.describe(
  'Kept with this version: at most 256 characters, no control ones.',
);

/** What a creation and each kind of update may say about the Secret. */
const metadata = {
  description: optionalString.describe('At most 4 KiB of UTF-8.'),
  expiresAt: optionalString.describe('When it expires, as RFC 3339 has it; empty clears it.'),
  rotateEvery: optionalString.describe('How often to change its values: `1h` to `3650d`; empty clears it.'),
  changeNote,
};

/** Fields that other tools use and that this API refuses with a reason of its own. */
const REFUSALS = new Map([
  ['binaryData', 'binaryData is read-only'],
  ['stringData', 'stringData can only be used on create; use data'],
]);

export const createRequest = requestBody({
  fields: {
    name: requiredString,
    type: optionalString,
    data: textData.optional(),
    stringData: textData.optional(),
    setBinary: base64Data.optional(),
    ...metadata,
    ...rules,
  },
  refusals: REFUSALS,
  example: {
    name: 'database',
    data: { username: 'app', password: 'correct horse' },
    description: 'The orders database',
    allowedGroups: ['team-a'],
  },
});

export const updateRequest = requestBody({
  fields: { resourceVersion, data: textData.optional(), ...metadata, ...rules, recoverCounter },
  refusals: REFUSALS,
  example: { resourceVersion: '4711', data: { username: 'app', password: 'correct horse' } },
});

export const patchRequest = requestBody({
  fields: {
    resourceVersion,
    set: textData.optional(),
    setBinary: base64Data.optional(),
    remove: textList.optional().describe('Names of keys that the Secret has.'),
    ...metadata,
  },
  refusals: new Map([
    ['binaryData', 'binaryData is read-only; use setBinary'],
    ['data', 'data can only be replaced with PUT; use set and remove'],
    ['stringData', 'stringData can only be used on create; use set'],
  ]),
  example: { resourceVersion: '4711', set: { password: 'battery staple' } },
});

export const restoreRequest = requestBody({
  fields: {
    resourceVersion,
    version: z.int('is required and must be a whole number').min(1, 'must be at least 1'),
    sourceResourceVersion: optionalString.describe('As the list of versions has it; another answers 409.'),
    keys: textList.optional().describe('Only these: they take its bytes, or are removed if it has none.'),
    changeNote,
    recoverCounter,
  },
  refusals: REFUSALS,
  example: { resourceVersion: '4713', version: 1, sourceResourceVersion: '4711' },
});

const restoreDeleted = requestBody({
  fields: { name: optionalString.describe('Another name than the former one.') },
  isOptional: true,
  example: { name: 'database-2' },
});
export const restoreDeletedRequest: typeof restoreDeleted = {
  ...restoreDeleted,
  // `null` counts as no body, too.
  parse: (body) => restoreDeleted.parse(body ?? undefined),
};
