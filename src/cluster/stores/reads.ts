import { isServiceError } from '../../errors/service-error.ts';
import type { Page } from '../../kube/page.ts';
import { readPages, withRestarts } from '../../kube/read-pages.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { field, malformed, requiredText } from '../objects/raw-object.ts';
import { clusterError } from '../transport/errors.ts';
import type { Gateway } from '../transport/gateway.ts';
import type { ClusterReply, ClusterRequest } from '../transport/request.ts';

/**
 * Reads one object. Undefined only if the cluster answered 404 for this object: the gateway gives every other 404
 * another code.
 */
export async function readObject(
  gateway: Pick<Gateway, 'request'>,
  request: Omit<ClusterRequest, 'verb'> & { readonly name: string },
  deadline: Deadline,
): Promise<{ readonly body: unknown } | undefined> {
  try {
    return await gateway.request({ verb: 'get', ...request }, deadline);
  } catch (error) {
    if (isServiceError(error, 'notFound')) return undefined;
    throw error;
  }
}

/**
 * Reads a page of a list. Its objects are decoded one by one, as they are read, so that whole objects do not accumulate, and a long
 * page is processed in slices. A suspended generator keeps its variables in memory, so there is none for a whole object.
 * @throws {ServiceError} `unavailable` when it is malformed: a page that cannot be read is never an empty one
 */
export function readPage<Item>(
  { body, items, bytes }: Pick<ClusterReply, 'body' | 'items' | 'bytes'>,
  kinds: readonly string[],
  decode: (native: unknown) => Item,
): Page<Item> {
  const kind = field(body, 'kind');
  const listed = field(body, 'items');
  const metadata = field(body, 'metadata');
  const token = field(metadata, 'continue');
  if (typeof kind !== 'string' || !kinds.includes(kind)) throw malformed('malformedList');
  // Go encodes a nil list as null.
  if (items === undefined || (!Array.isArray(listed) && listed !== null)) throw malformed('malformedList');
  if (token !== undefined && typeof token !== 'string') throw malformed('malformedList');
  return {
    items: Iterator.from(items).map((native) => decode(native)),
    resourceVersion: requiredText(field(metadata, 'resourceVersion'), 'malformedList'),
    continueToken: token === '' ? undefined : token,
    bytes,
  };
}

/** What is kept of this many objects takes a few megabytes. */
const BUDGET = { objects: 50_000, bytes: Infinity, pages: 500 };
/** A list that expires more often fails. */
const MAX_RESTARTS = 2;

/** What is listed, and what is kept of each object. */
export interface WholeList<Kept> extends Omit<ClusterRequest, 'verb' | 'maxBytes'> {
  /** The kinds that the list may have. */
  readonly kinds: readonly string[];
  /** Reduces one object. The object itself is not kept. */
  readonly keep: (native: unknown) => Kept;
}

/**
 * Reads all pages of a list and returns what is kept of its items. If the list expires between two pages it starts
 * over, so that all items are of one revision.
 * @throws {ServiceError} when any page is missing or of another revision, and `responseTooLarge` when there are more
 *   than 50,000 objects or 500 pages
 */
export async function readWholeList<Kept>(
  gateway: Pick<Gateway, 'request'>,
  { kinds, keep, ...request }: WholeList<Kept>,
  deadline: Deadline,
): Promise<readonly Kept[]> {
  const readOnce = async (): Promise<readonly Kept[]> => {
    const items: Kept[] = [];
    await readPages({
      subject: request.resource.plural,
      budget: BUDGET,
      listPage: async ({ limit, maxBytes, continueToken }) => {
        const query = { ...request.query, limit: String(limit), continue: continueToken };
        const reply = await gateway.request({ ...request, verb: 'list', query, maxBytes }, deadline);
        return readPage(reply, kinds, keep);
      },
      take: (kept) => {
        if (items.length === BUDGET.objects) throw clusterError('responseTooLarge', 'tooManyObjects');
        items.push(kept);
      },
    });
    return items;
  };
  try {
    return await withRestarts(MAX_RESTARTS, readOnce);
  } catch (error) {
    if (isServiceError(error, 'listOverBudget')) throw clusterError('responseTooLarge', 'tooManyPages');
    throw error;
  }
}
