import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { Watchable, WatchedObject, WatchEvent } from '../../informers/ports.ts';
import type { ServiceError } from '../../errors/service-error.ts';
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
    watch: async (revision, timeoutSeconds, signal) => {
      const bounds = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(timeoutSeconds) };
      const request: ClusterRequest = {
        verb: 'watch',
        resource,
        namespace,
        query: { ...selection, ...bounds, resourceVersion: revision },
        accept: kind.watchAccept,
      };
      const stream = await gateway.stream(request, signal, (line) => readEvent(line, kind, request));
      return { events: stream.lines, silenceMs: () => stream.silenceMs() };
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
    const resourceVersion = requiredText(
      field(field(object, 'metadata'), 'resourceVersion'),
      'malformedEvent',
    );
    return { kind: 'bookmark', resourceVersion };
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
