import * as z from 'zod';
import type { PageRequest } from '../../secrets/memory/list-page.ts';
import { SORTS } from '../../secrets/memory/page-positions.ts';
import { wordsOf, wordsToFind } from '../../secrets/memory/words.ts';
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
    .meta({ description: 'Answers a page of at most so many Secrets, from memory.', examples: [200] }),
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
        'With `limit`: only Secrets in whose name, key names or description each of these words occurs, in any case.',
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
export function parsePageQuery(query: URLSearchParams): PageRequest {
  const limit = numberParameter(query, 'limit', MOST_ON_PAGE) ?? MOST_ON_PAGE;
  const token = singleParameter(query, 'continue');
  const words = wordsToFind(wordsOf(textParameter(query, 'q')));
  const given = singleParameter(query, 'sort') ?? 'name';
  const sort = SORTS.find((one) => one === given);
  if (sort === undefined) throw invalidParameter(`sort must be ${SORTS.join(' or ')}`);
  return { limit, token, words, sort };
}

/** Empty when it is missing. */
export function textParameter(query: URLSearchParams, name: string): string {
  const text = singleParameter(query, name) ?? '';
  if (Array.from(text).length <= MOST_QUERY) return text;
  throw invalidParameter(`${name} must have at most ${MOST_QUERY} characters`);
}
