import { invalidRequest } from '../../errors/service-error.ts';
import * as z from 'zod';
import { MAX_QUERY_WORDS } from '../../contract/search-text.ts';
import { SORTS, type ListPageRequest } from '../../lists/list-page.ts';
import { wordsOf, wordsToFind } from '../../lists/matches.ts';
import { brokenTextRule } from '../../contract/text.ts';
import type { DeleteRequest } from '../../secrets/delete-secret.ts';

/**
 * The only value of a parameter; undefined when it is missing.
 * @throws {ServiceError} `invalidRequest` when it is given more than once
 */
function singleParameter(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidRequest(`${name} must be given once`);
  return values[0];
}

/**
 * Reads a query by its schema, from which the OpenAPI document is made as well. Each parameter may appear once; unknown ones are
 * ignored.
 * @throws {ServiceError} `invalidRequest`, naming the parameter and the rule
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: URLSearchParams,
): z.output<z.ZodObject<Shape>> {
  const names = Object.keys(schema.shape);
  const given = Object.fromEntries(names.map((name) => [name, singleParameter(query, name)]));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidRequest(`${String(issue?.path[0])} ${issue?.message ?? 'is malformed'}`);
}

// The forms of parameters, with an example for the OpenAPI document. A message states the rule, after the name of the parameter.

export const flag = (example: 'true' | 'false') =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .meta({ examples: [example] })
    .transform((text) => text === 'true');

export const wholeNumber = (maximum: number, example: number) =>
  z
    .custom<string>(
      (text) => typeof text === 'string' && /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= maximum,
      `must be a whole number from 1 to ${maximum}`,
    )
    .meta({ override: { type: 'integer', minimum: 1, maximum, examples: [example] } })
    .transform(Number);

/** Characters of a query. */
const MOST_QUERY = 256;

/** The words of a query, of at least so many characters. */
export const words = (minLength: number, example: string) =>
  z
    .string('is required and must not be blank')
    .refine((text) => Array.from(text).length <= MOST_QUERY, `must have at most ${MOST_QUERY} characters`)
    .meta({ ...(minLength > 0 && { minLength }), maxLength: MOST_QUERY, examples: [example] })
    .transform(wordsOf)
    .refine((list) => list.length <= MAX_QUERY_WORDS, `must have at most ${MAX_QUERY_WORDS} words`);

const MOST_ON_PAGE = 500;

export const pageOfSecrets = z.object({
  limit: wholeNumber(MOST_ON_PAGE, 200).optional().describe('Answers a page of at most so many Secrets.'),
  continue: z.string().optional().describe('With `limit`: what the page before gave for this one.'),
});

export const pageQuery = pageOfSecrets.extend({
  q: words(0, 'orders')
    .optional()
    .describe('With `limit`: at most 16 words, each in the name, a key name or the description.'),
  sort: z
    .enum(SORTS, { error: `must be ${SORTS.join(' or ')}` })
    .optional()
    .describe('With `limit`: by `name`, the default, or the last `changed` first.'),
});

/** Whether a page is wanted, and not the whole list. */
export const wantsPage = (query: URLSearchParams): boolean => query.has('limit');

/** @throws {ServiceError} `invalidRequest` */
export function parsePageQuery(query: URLSearchParams): ListPageRequest {
  const { limit = MOST_ON_PAGE, continue: token, q = [], sort = 'name' } = parseQuery(pageQuery, query);
  return { limit, token, words: wordsToFind(q), sort };
}

export const deleteQuery = z.object({
  resourceVersion: z
    .string('is required and must not be blank')
    .refine((text) => text.trim() !== '', 'is required and must not be blank')
    // Whatever is not Unicode was replaced when the query was decoded.
    .refine((text) => brokenTextRule(text) === undefined, 'must not contain binary control characters')
    .meta({ description: 'The revision that the client has loaded.', examples: ['4711'] }),
  keepHistory: flag('false')
    .optional()
    .describe('`true` keeps snapshots; `false`, the default, removes them.'),
  archive: flag('false').optional().describe('`true`, with keepHistory=true, archives it for a restore.'),
});

/** @throws {ServiceError} `invalidRequest` */
export function parseDeleteQuery(query: URLSearchParams): DeleteRequest {
  const { resourceVersion, keepHistory = false, archive = false } = parseQuery(deleteQuery, query);
  if (archive && !keepHistory) throw invalidRequest('archive=true needs keepHistory=true');
  return { resourceVersion, keepHistory, archive };
}
