import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { Watch, Watchable, WatchedObject, WatchEvent } from '../../informers/ports.ts';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { answeredFailure } from '../transport/errors.ts';
import type { Gateway } from '../transport/gateway.ts';
import { readPage } from './reads.ts';
import { field, malformed, requiredText } from '../objects/raw-object.ts';
import type { ClusterRequest } from '../transport/request.ts';
import type { Resource } from '../objects/resources.ts';
import { readStatus } from '../transport/status.ts';

/** What is listed and watched, and how. */
export interface WatchableKind<Item extends WatchedObject> {
  readonly resource: Resource;
  /** The kinds that a list of it may have. */
  readonly listKinds: readonly string[];
  /** `application/json` by default. */
  readonly listAccept?: string;
  readonly watchAccept?: string;
  readonly fieldSelector?: string;
  /**
   * Reduces an object to what the watcher receives. The object itself is dropped immediately.
   * @throws {ServiceError} for an object that is not of this kind
   */
  readonly decode: (native: unknown) => Item;
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists; without a revision it is the newest state. */
const STREAMING_LIST = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
/** A server without streaming lists calls one of the parameters forbidden (422), or a front of it does not take them (400). */
const REFUSED: readonly (string | undefined)[] = ['clusterStatus:422', 'clusterStatus:400'];
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

export type WatchGateway = Pick<Gateway, 'request' | 'stream' | 'takeTurn'>;

/** Lists and watches one kind in one scope. The cluster does not send objects outside of it. */
export function createWatchable<Item extends WatchedObject>(
  gateway: WatchGateway,
  kind: WatchableKind<Item>,
  watched: WatchedScope,
): Watchable<Item> {
  const { resource } = kind;
  const { namespace } = watched;
  const selection = { fieldSelector: fieldSelectorOf(kind, watched) };
  const open = async (
    from: ClusterRequest['query'],
    timeoutSeconds: number,
    signal: AbortSignal,
  ): Promise<Watch<Item>> => {
    const bounds = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(timeoutSeconds) };
    const request: ClusterRequest = {
      verb: 'watch',
      resource,
      namespace,
      query: { ...selection, ...bounds, ...from },
      accept: kind.watchAccept,
    };
    await gateway.takeTurn(signal);
    const stream = await gateway.stream(request, signal, (line) => readEvent(line, kind, request));
    return { events: stream.lines, silenceMs: () => stream.silenceMs() };
  };
  return {
    resource: resource.plural,
    namespace,
    takeTurn: gateway.takeTurn,
    listPage: async ({ limit, maxBytes, continueToken }, deadline) => {
      const query = { ...selection, limit: String(limit), continue: continueToken };
      const request: ClusterRequest = {
        verb: 'list',
        resource,
        namespace,
        query,
        accept: kind.listAccept,
        maxBytes,
        isBackground: true,
      };
      return readPage(await gateway.request(request, deadline), kind.listKinds, kind.decode);
    },
    watch: (revision, timeoutSeconds, signal) => open({ resourceVersion: revision }, timeoutSeconds, signal),
    watchList: async (timeoutSeconds, signal) => {
      try {
        return await open(STREAMING_LIST, timeoutSeconds, signal);
      } catch (error) {
        if (isServiceError(error, 'unavailable') && REFUSED.includes(error.reason)) return undefined;
        throw error;
      }
    },
  };
}

function fieldSelectorOf(
  { fieldSelector }: Pick<WatchableKind<WatchedObject>, 'fieldSelector'>,
  watched: WatchedScope,
): string | undefined {
  const without = watched.namespace === undefined ? watched.without : [];
  const terms = without.map((namespace) => `metadata.namespace!=${namespace}`);
  const all = fieldSelector === undefined ? terms : [fieldSelector, ...terms];
  return all.length === 0 ? undefined : all.join(',');
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
    const metadata = field(object, 'metadata');
    const resourceVersion = requiredText(field(metadata, 'resourceVersion'), 'malformedEvent');
    const isEnd = field(field(metadata, 'annotations'), INITIAL_EVENTS_END) === 'true';
    return { kind: 'bookmark', resourceVersion, ...(isEnd && { endsInitialEvents: true }) };
  }
  const kind = KINDS.get(type as 'ADDED');
  if (kind === undefined) throw malformed('malformedEvent');
  return { kind, item: decode(object) };
}

/** The error of JSON.parse quotes the text, so it is replaced. */
function parseFrame(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw malformed('malformedEvent');
  }
}

/** The Status within a watch whose response had the status 200. */
function failureWithin(object: unknown, request: ClusterRequest): ServiceError {
  const code = field(object, 'code');
  if (typeof code !== 'number' || code < 400) return malformed('malformedEvent');
  const details = readStatus(object);
  return answeredFailure(request, { status: code, details, retryAfter: undefined, nowMs: 0 }).error;
}
