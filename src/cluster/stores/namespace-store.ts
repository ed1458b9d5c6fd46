import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { field, optionalText, requiredText } from '../objects/raw-object.ts';
import { NAMESPACES, SELF_REVIEWS } from '../objects/resources.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { createWatchable, readWholeList, type Requests, type WatchGateway } from './objects.ts';

/** A namespace of the cluster. It is in none itself. */
export interface WatchedNamespace extends WatchedObject {
  readonly isTerminating: boolean;
}

const LISTING = { resource: NAMESPACES, asMetadata: true, decode: decodeNamespace };
const MAY_LIST = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: SELF_REVIEWS.kind,
  spec: { resourceAttributes: { verb: 'list', resource: NAMESPACES.plural } },
};

/** The cluster's namespaces, read live. */
export function createNamespaceStore(gateway: Requests) {
  return {
    names: async (deadline: Deadline): Promise<readonly string[]> => {
      const namespaces = await readWholeList(gateway, LISTING, deadline);
      return namespaces.filter(({ isTerminating }) => !isTerminating).map(({ name }) => name);
    },
    /** As `kubectl auth can-i`. With rights in single namespaces it is false. */
    mayBeListed: async (deadline: Deadline): Promise<boolean> => {
      const review = { verb: 'create', resource: SELF_REVIEWS, body: MAY_LIST } as const;
      const { body } = await gateway.request(review, deadline);
      return field(field(body, 'status'), 'allowed') === true;
    },
  };
}

/** Lists and watches the cluster's namespaces. */
export function watchNamespaces(gateway: WatchGateway): Watchable<WatchedNamespace> {
  return createWatchable(gateway, LISTING, { without: [] });
}

function decodeNamespace(native: unknown): WatchedNamespace {
  const metadata = field(native, 'metadata');
  const text = (name: string): string => requiredText(field(metadata, name), 'malformedNamespace');
  return {
    namespace: '',
    name: text('name'),
    uid: text('uid'),
    resourceVersion: text('resourceVersion'),
    isTerminating: optionalText(field(metadata, 'deletionTimestamp'), 'malformedNamespace') !== undefined,
  };
}
