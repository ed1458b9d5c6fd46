import type { WatchedScope } from '../../access/namespace-scope.ts';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { Watchable, WatchedObject, WatchEvent } from '../../informers/ports.ts';
import type { Page, PageRequest } from '../../kube/page.ts';
import { readPages, withRestarts } from '../../kube/read-pages.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { field, malformed, parseJson, requiredText } from '../objects/raw-object.ts';
import { answeredFailure, clusterError } from '../transport/errors.ts';
import type { Gateway } from '../transport/gateway.ts';
import type { ClusterRequest } from '../transport/request.ts';
import { readStatus } from '../transport/status.ts';

/** All that most stores need of the gateway. */
export type Requests = Pick<Gateway, 'request'>;

/** What lists and watches need of it. */
export type WatchGateway = Pick<Gateway, 'request' | 'stream' | 'takeTurn'>;

/** Reduces an object, which takes so many bytes as JSON. */
type Decode<Item> = (native: unknown, bytes: number) => Item;

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
    const { body, bytes } = await request({ verb: 'get', ...place }, deadline);
    return decode(body, bytes);
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
  const { body, bytes } = await gateway.request(request, deadline);
  try {
    return decode(body, bytes);
  } catch (error) {
    if (isServiceError(error)) throw clusterError('uncertain', error.reason ?? 'malformed', { isOver: true });
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
    items: Iterator.from(items).map(([native, size]) => decode(native, size)),
    resourceVersion: requiredText(field(metadata, 'resourceVersion'), 'malformedList'),
    continueToken: token === '' ? undefined : token,
    bytes,
  };
}

/** What is kept of each object may be nearly all of it: a ConfigMap has up to a mebibyte. */
const BUDGET = { objects: 50_000, bytes: 128 * 1_024 * 1_024, pages: 500 };
/** A list that expires more often fails. */
const MAX_RESTARTS = 2;

/**
 * Reads all pages of a list and returns what is kept of its items. If the list expires between two pages it starts
 * over, so that all items are of one revision.
 * @throws {ServiceError} when any page is missing or of another revision, and `responseTooLarge` when there are more
 *   than 50,000 objects, 128 MiB or 500 pages
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
      budget: BUDGET,
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

/** What is listed and watched, and how. Each object is reduced to what the watcher receives, and dropped immediately. */
interface WatchableKind<Item> extends Pick<Listing<Item>, 'resource' | 'asMetadata' | 'decode'> {
  readonly fieldSelector?: string;
}

/** Lists and watches one kind in one scope. The cluster does not send objects outside of it. */
export function createWatchable<Item extends WatchedObject>(
  gateway: WatchGateway,
  { resource, asMetadata, fieldSelector, decode }: WatchableKind<Item>,
  scope: WatchedScope,
): Watchable<Item> {
  const { namespace } = scope;
  const query = { fieldSelector: fieldSelectorOf(fieldSelector, scope) };
  const selection = { resource, namespace, asMetadata, query };
  return {
    resource: resource.plural,
    namespace,
    takeTurn: gateway.takeTurn,
    listPage: (page, deadline) =>
      listPage(gateway, { ...selection, decode, isBackground: true }, page, deadline),
    watch: async (resourceVersion, timeoutSeconds, signal) => {
      const bounds = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(timeoutSeconds) };
      const request = {
        ...selection,
        verb: 'watch',
        query: { ...query, ...bounds, resourceVersion },
      } as const;
      const stream = await gateway.stream(request, signal, (line) => readEvent(line, decode, request));
      return { events: stream.lines, silenceMs: stream.silenceMs };
    },
  };
}

function fieldSelectorOf(own: string | undefined, scope: WatchedScope): string | undefined {
  const without = scope.namespace === undefined ? scope.without : [];
  const terms = without.map((namespace) => `metadata.namespace!=${namespace}`);
  const all = own === undefined ? terms : [own, ...terms];
  return all.length === 0 ? undefined : all.join(',');
}

const KINDS = new Map<unknown, 'added' | 'modified' | 'deleted'>([
  ['ADDED', 'added'],
  ['MODIFIED', 'modified'],
  ['DELETED', 'deleted'],
]);

function readEvent<Item>(line: string, decode: Decode<Item>, request: ClusterRequest): WatchEvent<Item> {
  const frame = parseJson(line);
  const type = field(frame, 'type');
  const object = field(frame, 'object');
  if (type === 'ERROR') throw failureWithin(object, request);
  if (type === 'BOOKMARK') {
    const revision = field(field(object, 'metadata'), 'resourceVersion');
    return { kind: 'bookmark', resourceVersion: requiredText(revision, 'malformedEvent') };
  }
  const kind = KINDS.get(type);
  if (kind === undefined) throw malformed('malformedEvent');
  const frameBytes = JSON.stringify({ type, object: 0 }).length - 1;
  return { kind, item: decode(object, Buffer.byteLength(line) - frameBytes) };
}

/** The Status within a watch whose response had the status 200. */
function failureWithin(object: unknown, request: ClusterRequest): ServiceError {
  const code = field(object, 'code');
  if (typeof code !== 'number' || code < 400) return malformed('malformedEvent');
  return answeredFailure(request, { status: code, details: readStatus(object) }).error;
}
