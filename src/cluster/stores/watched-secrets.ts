import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { decodeIdentity } from '../objects/raw-object.ts';
import { SECRETS } from '../objects/resources.ts';
import { decodeMetadata, withContents, type AnnotationParser } from './secret-codec.ts';
import { createWatchable, type WatchGateway } from './objects.ts';

/** Lists and watches Secrets as metadata, reduced by `keep` as they arrive. */
export function watchSecretMetadata<Kept extends WatchedObject>(
  gateway: WatchGateway,
  codec: AnnotationParser,
  scope: WatchedScope,
  keep: (metadata: SecretMetadata) => Kept,
): Watchable<Kept> {
  const decode = (native: unknown) => keep(decodeMetadata(native, codec));
  return createWatchable(gateway, { resource: SECRETS, asMetadata: true, decode }, scope);
}

/** Lists Secrets as metadata, and returns their identity alone: annotations may hold values, and are dropped on arrival. */
export function watchSecretIdentities(gateway: WatchGateway, scope: WatchedScope): Watchable<WatchedObject> {
  const decode = (native: unknown) => decodeIdentity(native, 'PartialObjectMetadata', 'malformedMetadata');
  return createWatchable(gateway, { resource: SECRETS, asMetadata: true, decode }, scope);
}

/** Reduces each Secret as it arrives to what is kept of it. */
export interface KeepSecret<Kept extends WatchedObject> {
  /**
   * What is kept under the name. If it is of the same state of the same object it is kept further, and nothing else of the
   * object is read: nearly all objects of a relist.
   */
  readonly known?: (object: WatchedObject) => Kept | undefined;
  /** Of a history object; undefined for a live Secret. */
  readonly history: (metadata: SecretMetadata) => Kept | undefined;
  /** Of a live Secret, whose size as JSON is `bytes`. */
  readonly live: (secret: StoredSecret & { readonly bytes: number }) => Kept;
}

/**
 * Lists and watches whole Secrets, history objects included. `keep` reduces each as it arrives, so that no stream, page
 * or suspended function holds a value. The values of history objects are not even decoded.
 */
export function watchSecrets<Kept extends WatchedObject>(
  gateway: WatchGateway,
  codec: AnnotationParser,
  scope: WatchedScope,
  keep: KeepSecret<Kept>,
): Watchable<Kept> {
  const decode = (native: unknown, bytes: number): Kept => {
    const object = decodeIdentity(native, 'Secret', 'malformedSecret');
    const known = keep.known?.(object);
    if (known?.uid === object.uid && known.resourceVersion === object.resourceVersion) return known;
    const metadata = decodeMetadata(native, codec, 'Secret');
    return keep.history(metadata) ?? keep.live({ ...withContents(metadata, native), bytes });
  };
  return createWatchable(gateway, { resource: SECRETS, decode }, scope);
}
