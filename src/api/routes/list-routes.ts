import type { Request } from 'express';
import * as z from 'zod';
import { parsePeriod, PERIOD_RULE } from '../../contract/expiry.ts';
import type { ListSource } from '../../lists/list-cache.ts';
import { codingHeaders, contentCoding } from '../../server/server.ts';
import { json, JSON_TYPE, namespaceRoute, sessionRoute, type ApiRoute } from '../runner/route.ts';
import { CLUSTER_ERRORS, COLLECTION, LIST_ERRORS } from './secret-record.ts';
import { pageQuery, parsePageQuery, parseQuery, wantsPage, wholeNumber, words } from './query-parameters.ts';
import { expiringResponse, listResponse, searchResponse } from './response-schemas.ts';

const MOST_RESULTS = 200;
const RESULTS = 50;
const WITHIN = '30d';

export const searchQuery = z.object({
  q: words(1, 'orders database')
    .refine((list) => list.length > 0, 'is required and must not be blank')
    .describe('At most 16 words, each in the namespace, the name, a key name or the description.'),
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
    .describe(`How far ahead: a duration from \`1h\` to \`3650d\`; \`${WITHIN}\` by default.`),
});

const optionalText = z.string().optional();

const REQUEST_HEADERS = z.object({
  'Cache-Control': optionalText.describe('`no-cache`: collect the list from the cluster now.'),
  'Accept-Encoding': optionalText.describe('With `gzip`, the list is compressed.'),
});

const RESPONSE_HEADERS = z.object({
  'X-List-Source': z.enum(['cache', 'live']).optional().describe('Where the list came from.'),
  'Content-Encoding': z.enum(['gzip']).optional().describe('Of a compressed list.'),
  Vary: optionalText.describe('`Accept-Encoding`.'),
  Age: z.int().min(0).optional().describe('Of a cached list: seconds since the cluster confirmed it.'),
});

/** Lists of Secrets without values: of all namespaces at once, and of one. */
export const listRoutes: readonly ApiRoute[] = [
  sessionRoute({
    method: 'GET',
    path: '/api/search',
    level: 'read',
    action: 'secret.search',
    operationId: 'searchSecrets',
    tag: 'Secrets',
    summary: 'Search the Secrets of all namespaces that one may see',
    description: 'From memory alone, without values. What matches best comes first.',
    query: searchQuery,
    responses: { 200: json('What was found.', searchResponse) },
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
    description: 'Certificates, declared dates and due rotations. From memory alone, without values.',
    query: expiringQuery,
    responses: { 200: json('What expires.', expiringResponse) },
    errors: ['cacheUnavailable'],
    async handle({ services: { lists }, actor, query, deadline }) {
      const { within = WITHIN } = parseQuery(expiringQuery, query);
      // The schema lets nothing through but periods.
      const bytes = await lists.expiring(actor, parsePeriod(within) ?? 0, deadline);
      return { status: 200, bytes, headers: JSON_TYPE };
    },
  }),
  namespaceRoute({
    method: 'GET',
    path: COLLECTION,
    level: 'read',
    action: 'secret.list',
    sharesWork: (query) => !wantsPage(query),
    operationId: 'listSecrets',
    tag: 'Secrets',
    summary: 'List the Secrets that one may see, without values',
    description:
      'Complete or an error, ordered by name. Snapshots are never among them. A namespace that does not exist has an empty list. With `limit`, one page, of a namespace of any size; all pages that follow are of the same state.',
    query: pageQuery,
    requestHeaders: REQUEST_HEADERS,
    responses: { 200: json('The list.', listResponse, RESPONSE_HEADERS) },
    errors: [...LIST_ERRORS, ...CLUSTER_ERRORS, 'pageExpired', 'cacheUnavailable', 'responseTooLarge'],
    async handle({ services: { lists }, request, query, actor, namespace, deadline }) {
      const { body, from } = wantsPage(query)
        ? await lists.page(actor, namespace, parsePageQuery(query), deadline)
        : await lists.list(actor, namespace, { live: wantsLive(request) }, deadline);
      const coding = contentCoding(request.headers['accept-encoding'], body.plain.byteLength);
      const bytes = coding === 'gzip' ? await body.gzipped() : body.plain;
      const headers = { ...JSON_TYPE, ...sourceHeaders(from), ...codingHeaders(coding) };
      return { status: 200, bytes, headers };
    },
  }),
];

/** RFC 9111, section 5.2.1.4: the client does not want a response that was not validated just now. */
const wantsLive = ({ headers }: Request) =>
  /(^|,)\s*no-cache\s*($|[,=])/i.test(headers['cache-control'] ?? '');

function sourceHeaders(from: ListSource): Readonly<Record<string, string>> {
  if (from.source === 'live') return { 'X-List-Source': 'live' };
  return { 'X-List-Source': 'cache', Age: String(Math.floor(from.ageMs / 1_000)) };
}
