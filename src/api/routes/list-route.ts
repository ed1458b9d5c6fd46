import type { Request } from 'express';
import * as z from 'zod';
import type { ListSource } from '../../lists/list-cache.ts';
import { codingHeaders, contentCoding } from '../../server/server.ts';
import { namespaceRoute } from '../runner/route.ts';
import { serialized } from '../runner/route-response.ts';
import { SUMMARY, COLLECTION } from './secret-record.ts';
import { pageQuery, parsePageQuery, wantsPage } from './query-parameters.ts';
import { listResponse } from './response-schemas.ts';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

const REQUEST_HEADERS = z.object({
  'Cache-Control': z
    .string()
    .optional()
    .meta({
      description: '`no-cache`: collect the list from the cluster now.',
      examples: ['no-cache'],
    }),
  'Accept-Encoding': z
    .string()
    .optional()
    .meta({ description: 'With `gzip`, the list is compressed.', examples: ['gzip'] }),
});

const RESPONSE_HEADERS = z.object({
  'X-List-Source': z
    .enum(['cache', 'live'])
    .optional()
    .describe('Where the list came from; the body is the same either way.'),
  'Content-Encoding': z.enum(['gzip']).optional().describe('Of a compressed list.'),
  Vary: z.string().optional().describe('`Accept-Encoding`.'),
  Age: z
    .int()
    .min(0)
    .optional()
    .describe('Of a list from the cache: seconds since the cluster last vouched for it.'),
});

export const listRoute = namespaceRoute({
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
  responses: {
    200: serialized({
      description: 'The list.',
      schema: listResponse,
      example: { namespace: 'shared', secrets: [SUMMARY], canCreate: true },
      headers: RESPONSE_HEADERS,
    }),
  },
  errors: [
    'listFailed',
    'listInconsistent',
    'listOverBudget',
    'pageExpired',
    'cacheUnavailable',
    'expired',
    'unavailable',
    'rbacForbidden',
    'responseTooLarge',
  ],
  async handle({ services: { lists }, request, query, actor, namespace, deadline }) {
    const { body, from } = wantsPage(query)
      ? await lists.page(actor, namespace, parsePageQuery(query), deadline)
      : await lists.list(actor, namespace, { live: wantsLive(request) }, deadline);
    const coding = contentCoding(request.headers['accept-encoding'], body.plain.byteLength);
    const bytes = coding === 'gzip' ? await body.gzipped() : body.plain;
    return {
      status: 200,
      bytes,
      headers: { ...JSON_TYPE, ...sourceHeaders(from), ...codingHeaders(coding) },
    };
  },
});

/** RFC 9111, section 5.2.1.4: the client does not want a response that was not validated just now. */
function wantsLive({ headers }: Request): boolean {
  return /(^|,)\s*no-cache\s*($|[,=])/i.test(headers['cache-control'] ?? '');
}

function sourceHeaders(from: ListSource): Readonly<Record<string, string>> {
  if (from.source === 'live') return { 'X-List-Source': 'live' };
  return { 'X-List-Source': 'cache', Age: String(Math.floor(from.ageMs / 1_000)) };
}
