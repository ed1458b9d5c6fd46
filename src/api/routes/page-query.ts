import * as z from 'zod';
import { MAX_QUERY_WORDS } from '../../contract/search-text.ts';
import { SORTS, type ListPageRequest } from '../../lists/list-page.ts';
import { wordsOf, wordsToFind } from '../../lists/matches.ts';
import { invalidParameter, numberParameter, singleParameter } from './query-parameters.ts';

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
