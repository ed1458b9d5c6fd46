import { ServiceError } from '../../errors/service-error.ts';
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
export function singleParameter(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidParameter(`${name} must be given once`);
  return values[0];
}

/**
 * `true` or `false`; undefined when it is missing.
 * @throws {ServiceError} `invalidRequest`
 */
export function flagParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = singleParameter(query, name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw invalidParameter(`${name} must be true or false`);
  return text === 'true';
}

/**
 * A whole number in decimal digits; undefined when it is missing.
 * @throws {ServiceError} `invalidRequest`
 */
export function numberParameter(query: URLSearchParams, name: string, most: number): number | undefined {
  const text = singleParameter(query, name);
  if (text === undefined) return undefined;
  const number = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Infinity;
  if (number <= most) return number;
  throw invalidParameter(`${name} must be a whole number from 1 to ${most}`);
}

/** @param message names the parameter and the rule, never the value */
export function invalidParameter(message: string): ServiceError {
  return new ServiceError('invalidRequest', message);
}

const MOST_ON_PAGE = 500;
/** Characters of a query. */
export const MOST_QUERY = 256;

export const pageQuery = z.object({
  limit: z
    .int()
    .min(1)
    .max(MOST_ON_PAGE)
    .optional()
    .meta({ description: 'Answers a page of at most so many Secrets.', examples: [200] }),
  continue: z
    .string()
    .optional()
    .meta({ description: 'With `limit`: what the page before gave for this one.' }),
  q: z
    .string()
    .max(MOST_QUERY)
    .optional()
    .meta({
      description:
        'With `limit`: only Secrets in whose name, key names or description each of these words, at most 16, occurs in any case.',
      examples: ['orders'],
    }),
  sort: z
    .enum(SORTS)
    .optional()
    .meta({ description: 'With `limit`: by `name`, the default, or the last `changed` first.' }),
});

/** Whether a page is wanted, and not the whole list. */
export function wantsPage(query: URLSearchParams): boolean {
  return query.has('limit');
}

/**
 * The query of a page. Each parameter may appear once. Unknown parameters are ignored.
 * @throws {ServiceError} `invalidRequest`, naming the parameter and the rule
 */
export function parsePageQuery(query: URLSearchParams): ListPageRequest {
  const limit = numberParameter(query, 'limit', MOST_ON_PAGE) ?? MOST_ON_PAGE;
  const token = singleParameter(query, 'continue');
  const words = wordsToFind(wordsParameter(query, 'q'));
  const given = singleParameter(query, 'sort') ?? 'name';
  const sort = SORTS.find((one) => one === given);
  if (sort === undefined) throw invalidParameter(`sort must be ${SORTS.join(' or ')}`);
  return { limit, token, words, sort };
}

/** The words of a query. None when it is missing. */
export function wordsParameter(query: URLSearchParams, name: string): readonly string[] {
  const text = singleParameter(query, name) ?? '';
  if (Array.from(text).length > MOST_QUERY)
    throw invalidParameter(`${name} must have at most ${MOST_QUERY} characters`);
  const words = wordsOf(text);
  if (words.length <= MAX_QUERY_WORDS) return words;
  throw invalidParameter(`${name} must have at most ${MAX_QUERY_WORDS} words`);
}

export const deleteQuery = z.object({
  resourceVersion: z
    .string()
    .meta({ description: 'The revision that the client has loaded.', examples: ['4711'] }),
  keepHistory: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description: '`true` leaves the snapshots alone; `false`, the default, removes them first.',
      examples: ['false'],
    }),
  archive: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description:
        '`true`, with keepHistory=true, archives the live state, so that the Secret can be restored.',
      examples: ['false'],
    }),
});

/**
 * The query of a DELETE. Each parameter may appear once. Unknown parameters are ignored.
 * @throws {ServiceError} `invalidRequest`, naming the parameter and the rule
 */
export function parseDeleteQuery(query: URLSearchParams): DeleteRequest {
  const resourceVersion = singleParameter(query, 'resourceVersion');
  if (resourceVersion === undefined || resourceVersion.trim() === '') {
    throw invalidParameter('resourceVersion is required and must not be blank');
  }
  // Whatever is not Unicode was replaced when the query was decoded.
  if (brokenTextRule(resourceVersion) !== undefined) {
    throw invalidParameter('resourceVersion must not contain binary control characters');
  }
  const keepHistory = flagParameter(query, 'keepHistory') ?? false;
  const archive = flagParameter(query, 'archive') ?? false;
  if (archive && !keepHistory) throw invalidParameter('archive=true needs keepHistory=true');
  return { resourceVersion, keepHistory, archive };
}
