import { isServiceError } from '../../errors/service-error.ts';
import { PageSizes } from '../../kube/page-sizes.ts';
import type { Page, PageRequest } from '../../kube/page.ts';
import { readPages, withRestarts } from '../../kube/read-pages.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { field, malformed, requiredText } from '../objects/raw-object.ts';
import { clusterError } from '../transport/errors.ts';
import type { Gateway } from '../transport/gateway.ts';
import type { ClusterRequest } from '../transport/request.ts';

/** All that most stores need of the gateway. */
export type Requests = Pick<Gateway, 'request'>;

type Decode<Item> = (native: unknown) => Item;

/**
 * Reads one object. Undefined only if the cluster answered 404 for this object: the gateway gives every other 404
 * another code.
 */
export async function readObject<Item>(
  { request }: Requests,
  place: Omit<ClusterRequest, 'verb'> & { readonly name: string },
  decode: Decode<Item>,
  deadline: Deadline,
): Promise<Item | undefined> {
  try {
    return decode((await request({ verb: 'get', ...place }, deadline)).body);
  } catch (error) {
    if (isServiceError(error, 'notFound')) return undefined;
    throw error;
  }
}

/** Writes one object, and returns it as the cluster has it then. A malformed response does not undo the write. */
export async function writeObject<Item>(
  gateway: Requests,
  request: ClusterRequest,
  decode: Decode<Item>,
  deadline: Deadline,
): Promise<Item> {
  const { body } = await gateway.request(request, deadline);
  try {
    return decode(body);
  } catch (error) {
    if (isServiceError(error)) throw clusterError('uncertain', error.reason ?? 'malformed');
    throw error;
  }
}

/** What is listed, and what is kept of each object. */
export interface Listing<Item> extends Omit<ClusterRequest, 'verb' | 'maxBytes'> {
  /** Reduces one object. The object itself is not kept. */
  readonly decode: Decode<Item>;
}

/**
 * Reads a page of a list. Its objects are decoded one by one, as they are read, so that whole objects do not accumulate, and a long
 * page is processed in slices. A suspended generator keeps its variables in memory, so there is none for a whole object.
 * @throws {ServiceError} `unavailable` when it is malformed: a page that cannot be read is never an empty one
 */
export async function listPage<Item>(
  gateway: Requests,
  { decode, ...listing }: Listing<Item>,
  { limit, continueToken, maxBytes }: PageRequest,
  deadline: Deadline,
): Promise<Page<Item>> {
  const query = { ...listing.query, limit: String(limit), continue: continueToken };
  const request = { ...listing, verb: 'list', query, maxBytes } as const;
  const { body, items, bytes } = await gateway.request(request, deadline);
  const listed = field(body, 'items');
  const metadata = field(body, 'metadata');
  const token = field(metadata, 'continue');
  const kind = listing.asMetadata === true ? 'PartialObjectMetadata' : listing.resource.kind;
  if (field(body, 'kind') !== `${kind}List`) throw malformed('malformedList');
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

/**
 * Reads all pages of a list and returns what is kept of its items. If the list expires between two pages it starts
 * over, so that all items are of one revision.
 * @throws {ServiceError} when any page is missing or of another revision, and `responseTooLarge` when there are more
 *   than 50,000 objects or 500 pages
 */
export async function readWholeList<Item>(
  gateway: Requests,
  listing: Listing<Item>,
  deadline: Deadline,
): Promise<readonly Item[]> {
  const readOnce = async (): Promise<readonly Item[]> => {
    const items: Item[] = [];
    await readPages({
      subject: listing.resource.plural,
      sizes: new PageSizes(BUDGET),
      listPage: (page) => listPage(gateway, listing, page, deadline),
      take: (item) => {
        if (items.length === BUDGET.objects) throw clusterError('responseTooLarge', 'tooManyObjects');
        items.push(item);
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
