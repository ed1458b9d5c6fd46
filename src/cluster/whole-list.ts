import { isServiceError } from '../errors/service-error.ts';
import type { Call } from '../calls/call.ts';
import { clusterError } from './failures.ts';
import type { Gateway } from './gateway.ts';
import { readPage } from './native-list.ts';
import type { ClusterRequest } from './request.ts';

const PAGE_LIMIT = 500;
const MAX_PAGES = 100;
const MAX_PAGE_BYTES = 32 * 1_024 * 1_024;
/** A list that expires again and again is given up. */
const MAX_RUNS = 3;

/**
 * All items of a list, page after page. When it expires between two pages it starts over, so that the items are of
 * one revision.
 * @throws {ServiceError} when any page is missing, or when there are more than 100
 */
export async function readWholeList(
  gateway: Pick<Gateway, 'request'>,
  request: Omit<ClusterRequest, 'verb'>,
  kinds: readonly string[],
  call: Call,
): Promise<readonly unknown[]> {
  for (let run = 1; ; run++) {
    try {
      return await readPages(gateway, request, kinds, call);
    } catch (error) {
      if (run === MAX_RUNS || !isServiceError(error, 'expired')) throw error;
    }
  }
}

async function readPages(
  gateway: Pick<Gateway, 'request'>,
  request: Omit<ClusterRequest, 'verb'>,
  kinds: readonly string[],
  call: Call,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let continueToken: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { ...request.query, limit: String(PAGE_LIMIT), continue: continueToken };
    const reply = await gateway.request({ maxBytes: MAX_PAGE_BYTES, ...request, verb: 'list', query }, call);
    const read = readPage(reply.body, kinds);
    items.push(...read.items);
    continueToken = read.continueToken;
    if (continueToken === undefined) return items;
  }
  throw clusterError('responseTooLarge', 'tooManyPages');
}
