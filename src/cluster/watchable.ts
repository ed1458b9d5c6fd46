import type { ListedPage, Watch, Watchable, WatchedObject, WatchEvent } from '../informers/ports.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { answeredFailure } from './failures.ts';
import type { Gateway } from './gateway.ts';
import { readPage } from './native-list.ts';
import { field, malformed, requiredText } from './native-object.ts';
import type { ClusterRequest } from './request.ts';
import type { Resource } from './resources.ts';
import { readStatus } from './status.ts';

/** What is listed and watched, and how. */
export interface WatchableKind<Item extends WatchedObject> {
  readonly resource: Resource;
  /** Kinds that a list of it may name itself. */
  readonly listKinds: readonly string[];
  /** `application/json` by default. */
  readonly listAccept?: string;
  readonly watchAccept?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** @throws {ServiceError} for an object that is not of this kind */
  readonly decode: (native: unknown) => Item;
}

const MAX_PAGE_BYTES = 32 * 1_024 * 1_024;

/** Lists and watches one kind, in one namespace or (undefined) in all. */
export function createWatchable<Item extends WatchedObject>(
  gateway: Pick<Gateway, 'request' | 'stream'>,
  kind: WatchableKind<Item>,
  namespace: string | undefined,
): Watchable<Item> {
  const { resource, labelSelector, fieldSelector } = kind;
  const place = { resource, ...(namespace !== undefined && { namespace }) };
  const selection = { labelSelector, fieldSelector };
  return {
    resource: resource.plural,
    namespace,
    listPage: async ({ limit, continueToken }, call) => {
      const query = { ...selection, limit: String(limit), continue: continueToken };
      const request: ClusterRequest = {
        ...place,
        verb: 'list',
        query,
        maxBytes: MAX_PAGE_BYTES,
        ...(kind.listAccept !== undefined && { accept: kind.listAccept }),
      };
      return pageOf((await gateway.request(request, call)).body, kind);
    },
    watch: async (revision, timeoutSeconds, signal) => {
      const query = {
        ...selection,
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion: revision,
        timeoutSeconds: String(timeoutSeconds),
      };
      const request: ClusterRequest = {
        ...place,
        verb: 'watch',
        query,
        ...(kind.watchAccept !== undefined && { accept: kind.watchAccept }),
      };
      const stream = await gateway.stream(request, signal);
      return watchOf(stream, (line) => readEvent(line, kind, request));
    },
  };
}

function pageOf<Item extends WatchedObject>(
  body: unknown,
  { listKinds, decode }: WatchableKind<Item>,
): ListedPage<Item> {
  const { items, resourceVersion, continueToken } = readPage(body, listKinds);
  return { items: items.map(decode), resourceVersion, continueToken };
}

function watchOf<Item>(
  stream: { readonly lines: AsyncIterable<string>; silenceMs(): number },
  read: (line: string) => WatchEvent<Item>,
): Watch<Item> {
  const events = async function* (): AsyncGenerator<WatchEvent<Item>> {
    for await (const line of stream.lines) yield read(line);
  };
  return { events: events(), silenceMs: () => stream.silenceMs() };
}

const KINDS = new Map([
  ['ADDED', 'added'],
  ['MODIFIED', 'modified'],
  ['DELETED', 'deleted'],
] as const);

function readEvent<Item extends WatchedObject>(
  line: string,
  { decode }: WatchableKind<Item>,
  request: ClusterRequest,
): WatchEvent<Item> {
  const frame = parseFrame(line);
  const type = field(frame, 'type');
  const object = field(frame, 'object');
  if (type === 'ERROR') throw failureWithin(object, request);
  if (type === 'BOOKMARK') {
    const resourceVersion = field(field(object, 'metadata'), 'resourceVersion');
    return { kind: 'bookmark', resourceVersion: requiredText(resourceVersion, 'malformedEvent') };
  }
  const kind = KINDS.get(type as 'ADDED');
  if (kind === undefined) throw malformed('malformedEvent');
  return { kind, item: decode(object) };
}

/** The error of JSON.parse quotes the text, so it goes no further. */
function parseFrame(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw malformed('malformedEvent');
  }
}

/** The Status that the cluster sends within a watch, when the answer's own status was 200 long ago. */
function failureWithin(object: unknown, request: ClusterRequest): ServiceError {
  const code = field(object, 'code');
  if (typeof code !== 'number' || code < 400) return malformed('malformedEvent');
  const details = readStatus(object);
  return answeredFailure(request, { status: code, details, retryAfter: undefined, nowMs: 0 }).error;
}
