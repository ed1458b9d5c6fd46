import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { Watchable, WatchedObject, WatchEvent } from '../../informers/ports.ts';
import type { ServiceError } from '../../errors/service-error.ts';
import { answeredFailure } from '../transport/errors.ts';
import type { Gateway } from '../transport/gateway.ts';
import { listPage, type Listing } from './reads.ts';
import { field, malformed, parseJson, requiredText } from '../objects/raw-object.ts';
import type { ClusterRequest } from '../transport/request.ts';
import { readStatus } from '../transport/status.ts';

/** What is listed and watched, and how. Each object is reduced to what the watcher receives, and dropped immediately. */
interface WatchableKind<Item> extends Pick<Listing<Item>, 'resource' | 'asMetadata' | 'decode'> {
  readonly fieldSelector?: string;
}

export type WatchGateway = Pick<Gateway, 'request' | 'stream' | 'takeTurn'>;

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

function readEvent<Item>(
  line: string,
  decode: (native: unknown) => Item,
  request: ClusterRequest,
): WatchEvent<Item> {
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
  return { kind, item: decode(object) };
}

/** The Status within a watch whose response had the status 200. */
function failureWithin(object: unknown, request: ClusterRequest): ServiceError {
  const code = field(object, 'code');
  if (typeof code !== 'number' || code < 400) return malformed('malformedEvent');
  return answeredFailure(request, { status: code, details: readStatus(object) }).error;
}
