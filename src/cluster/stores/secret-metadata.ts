import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { MetadataChange, Preconditions, SecretMetadata, SecretRef } from '../../kube/secret.ts';
import type { SecretMetadataStore } from '../../history/ports.ts';
import type { Gateway } from '../transport/gateway.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { clusterError } from '../transport/errors.ts';
import { decodeIdentity, field, malformed } from '../objects/raw-object.ts';
import type { ClusterRequest } from '../transport/request.ts';
import { readObject } from './reads.ts';
import { SECRETS } from '../objects/resources.ts';
import { decodeObjectMetadata } from './secret-codec.ts';
import { createWatchable, type WatchGateway } from './watchable.ts';

const MALFORMED = 'malformedMetadata';
// Without whole objects as an alternative: a server that cannot leave out the values must refuse.
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

const METADATA_KIND = {
  resource: SECRETS,
  listKinds: ['PartialObjectMetadataList'],
  listAccept: METADATA_LIST,
  watchAccept: METADATA,
} as const;

type AnnotationParser = Pick<AnnotationCodec, 'parse'>;

/** Secrets as metadata, live. No value of a Secret is transferred. */
export function createSecretMetadataStore(
  gateway: Pick<Gateway, 'request'>,
  codec: AnnotationParser,
): SecretMetadataStore {
  return {
    read: async (ref, deadline) => {
      const found = await readObject(gateway, { ...placeOf(ref), accept: METADATA }, deadline);
      return found && decodeMetadata(found.body, codec);
    },
    patchMetadata: patchMetadata(gateway, codec),
    delete: async (ref, preconditions, deadline) => {
      await gateway.request({ ...deletion(ref, preconditions), accept: METADATA }, deadline);
    },
  };
}

export function placeOf({ namespace, name }: SecretRef) {
  return { resource: SECRETS, namespace, name };
}

/** With the preconditions in the body: the cluster ignores those of the query if there is a body. */
export function deletion(ref: SecretRef, { uid, resourceVersion }: Preconditions): ClusterRequest {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
  return { verb: 'delete', ...placeOf(ref), body };
}

/** A malformed response does not undo the write. */
export function decodeWritten<Written>(decode: () => Written): Written {
  try {
    return decode();
  } catch (error) {
    if (isServiceError(error)) throw clusterError('uncertain', error.reason ?? MALFORMED);
    throw error;
  }
}

/** Changes labels and annotations of one revision of a Secret; see the port. */
export function patchMetadata(
  gateway: Pick<Gateway, 'request'>,
  codec: AnnotationParser,
): SecretMetadataStore['patchMetadata'] {
  return async (ref, preconditions, change, deadline) => {
    const body = encodePatch(preconditions, change);
    const form = { contentType: 'application/merge-patch+json', accept: METADATA };
    const request = { verb: 'patch', ...placeOf(ref), body, ...form } as const;
    const reply = await gateway.request(request, deadline);
    return decodeWritten(() => decodeMetadata(reply.body, codec));
  };
}

/** Lists and watches Secrets as metadata. */
export function watchSecretMetadata(
  gateway: WatchGateway,
  codec: AnnotationParser,
  scope: WatchedScope,
): Watchable<SecretMetadata> {
  return createWatchable(
    gateway,
    { ...METADATA_KIND, decode: (native) => decodeMetadata(native, codec) },
    scope,
  );
}

/** Lists Secrets as metadata, and returns their identity alone: annotations may hold values, and are dropped on arrival. */
export function watchSecretIdentities(gateway: WatchGateway, scope: WatchedScope): Watchable<WatchedObject> {
  return createWatchable(
    gateway,
    { ...METADATA_KIND, decode: (native) => decodeIdentity(native, MALFORMED) },
    scope,
  );
}

/**
 * Reads a PartialObjectMetadata.
 * @throws {ServiceError} `unavailable` when it is malformed
 */
export function decodeMetadata(native: unknown, codec: AnnotationParser): SecretMetadata {
  if (field(native, 'kind') !== 'PartialObjectMetadata') throw malformed(MALFORMED);
  return decodeObjectMetadata(native, codec, MALFORMED);
}

/** A merge patch (RFC 7396), in which null removes a field. The uid and the resourceVersion in it are preconditions. */
function encodePatch(
  { uid, resourceVersion }: Preconditions,
  { labels, annotations }: MetadataChange,
): unknown {
  return {
    metadata: {
      uid,
      resourceVersion,
      ...(labels !== undefined && { labels: encodeTexts(labels) }),
      ...(annotations !== undefined && { annotations: encodeTexts(annotations) }),
    },
  };
}

function encodeTexts(texts: ReadonlyMap<string, string | undefined>): object {
  return Object.fromEntries([...texts].map(([key, text]) => [key, text ?? null]));
}
