import * as z from 'zod';
import { parsePeriod, PERIOD_RULE } from '../../contract/expiry.ts';
import { sessionRoute, type ApiRoute } from '../runner/route.ts';
import { serialized } from '../runner/route-response.ts';
import { SUMMARY } from './secret-record.ts';
import { parseQuery, wholeNumber, words } from './query-parameters.ts';
import { expiringResponse, searchResponse } from './response-schemas.ts';

const MOST_RESULTS = 200;
const RESULTS = 50;
const WITHIN = '30d';
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export const searchQuery = z.object({
  q: words(1, 'orders database')
    .refine((list) => list.length > 0, 'is required and must not be blank')
    .describe(
      'At most 16 words that must each occur, in any case, in the namespace, the name, a key name or the description.',
    ),
  type: z
    .string()
    .refine((text) => text !== '', 'must not be empty')
    .optional()
    .meta({ description: 'Exactly this type.', examples: ['Opaque'] }),
  limit: wholeNumber(MOST_RESULTS, RESULTS).optional().describe(`Results at most; ${RESULTS} by default.`),
});

export const expiringQuery = z.object({
  within: z
    .string()
    .refine((text) => parsePeriod(text) !== undefined, PERIOD_RULE)
    .optional()
    .meta({
      description: `How far ahead: a duration from \`1h\` to \`3650d\`; \`${WITHIN}\` by default.`,
      examples: [WITHIN],
    }),
});

/** What is answered of all namespaces at once. */
export const searchRoutes: readonly ApiRoute[] = [
  sessionRoute({
    method: 'GET',
    path: '/api/search',
    level: 'read',
    action: 'secret.search',
    operationId: 'searchSecrets',
    tag: 'Secrets',
    summary: 'Search the Secrets of all namespaces that one may see',
    description:
      'From memory alone, without values. Exact names come first, then names that begin with a word, then all others.',
    query: searchQuery,
    responses: {
      200: serialized('What was found.', searchResponse, { results: [SUMMARY], more: false, skipped: [] }),
    },
    errors: ['cacheUnavailable'],
    async handle({ services: { lists }, actor, query, deadline }) {
      const { q: words, type, limit = RESULTS } = parseQuery(searchQuery, query);
      const bytes = await lists.search(actor, { words, type, limit }, deadline);
      return { status: 200, bytes, headers: JSON_TYPE };
    },
  }),
  sessionRoute({
    method: 'GET',
    path: '/api/expiring',
    level: 'read',
    action: 'secret.list',
    operationId: 'listExpiring',
    tag: 'Secrets',
    summary: 'List the Secrets of all namespaces that expire soon, or have expired',
    description:
      'Certificates, declared dates and due rotations together, the first of them first. From memory alone, without values.',
    query: expiringQuery,
    responses: {
      200: serialized('What expires.', expiringResponse, {
        items: [{ ...SUMMARY, expiresAt: '2026-04-01T00:00:00Z' }],
        more: false,
      }),
    },
    errors: ['cacheUnavailable'],
    async handle({ services: { lists }, actor, query, deadline }) {
      const { within = WITHIN } = parseQuery(expiringQuery, query);
      // The schema lets nothing through but periods.
      const bytes = await lists.expiring(actor, parsePeriod(within) ?? 0, deadline);
      return { status: 200, bytes, headers: JSON_TYPE };
    },
  }),
];
