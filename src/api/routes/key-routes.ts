import * as z from 'zod';
import type { KeyValue } from '../../secrets/secret-view.ts';
import { secretRoute, type ApiRoute, type RequestContext } from '../runner/route.ts';
import { BYTES } from '../runner/route-response.ts';
import { NAMED } from './secret-record.ts';

/** What both routes of one value share. */
const KEY_RECORD = {
  method: 'GET',
  level: 'read',
  action: 'secret.reveal',
  describes: ({ request }: Pick<RequestContext, 'request'>) => request.method === 'HEAD',
  responses: {
    200: {
      description: 'The bytes of the value, as they are stored.',
      content: BYTES,
      headers: z.object({
        'Content-Disposition': z.string().describe('A download with a safe name.'),
        'X-Resource-Version': z
          .string()
          .describe('The revision that has this value: the live one, or the one that the version archives.'),
      }),
    },
  },
} as const;

/** One value at a time. */
export const keyRoutes: readonly ApiRoute[] = [
  secretRoute({
    ...KEY_RECORD,
    path: `${NAMED}/keys/:key`,
    operationId: 'getKey',
    tag: 'Secrets',
    summary: 'Read one value, byte for byte',
    description: 'Read from the cluster at this moment. HEAD has the headers alone.',
    handle: ({ services: { secrets }, secret, key = '' }) => download(key, secrets.readKey(secret, key)),
  }),
  secretRoute({
    ...KEY_RECORD,
    path: `${NAMED}/versions/:version/keys/:key`,
    operationId: 'getVersionKey',
    tag: 'History',
    summary: 'Read one value of an archived version, byte for byte',
    description: 'The access rules of the live Secret decide who may see it. HEAD has the headers alone.',
    errors: ['historyUnavailable'],
    async handle({ services: { secrets }, secret, version, key = '', deadline }) {
      return download(key, await secrets.readVersionKey(secret, { version: version(), key }, deadline));
    },
  }),
];

/** Never a page, a script or an image of this origin: a browser saves it, whatever it holds. */
function download(key: string, { bytes: { buffer, byteOffset, byteLength }, resourceVersion }: KeyValue) {
  return {
    status: 200,
    bytes: Buffer.from(buffer, byteOffset, byteLength),
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${fileNameOf(key)}"`,
      'X-Resource-Version': resourceVersion,
    },
  } as const;
}

/** Valid keys need no quoting. A file that begins with a dot would be hidden, and with a hyphen taken for an option. */
function fileNameOf(key: string): string {
  return key.replace(/^[.-]/, '_');
}
