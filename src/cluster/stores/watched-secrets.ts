import type { WatchedPlace } from '../../access/namespace-scope.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { StoredSecret } from '../../kube/secret.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { entriesOf, isObject } from './raw-object.ts';
import { SECRETS } from './resources.ts';
import { decodeSecret } from './secret-codec.ts';
import { createWatchable, type WatchGateway } from './watchable.ts';

/** What this module returns of a listed or watched Secret. */
export interface WatchedSecret<Kept> extends WatchedObject {
  readonly kept: Kept;
}

/** A whole Secret, while it is decided what to keep of it. */
export interface ArrivedSecret extends StoredSecret {
  /** Its size as JSON, as a list would count it. */
  readonly bytes: number;
}

/**
 * Lists and watches whole Secrets except snapshots. `keep` reduces each as it arrives, so that no stream, page or
 * suspended function holds a value.
 */
export function watchSecrets<Kept>(
  gateway: WatchGateway,
  codec: Pick<AnnotationCodec, 'parse' | 'liveSelector'>,
  place: WatchedPlace,
  keep: (secret: ArrivedSecret) => Kept,
): Watchable<WatchedSecret<Kept>> {
  const decode = (native: unknown): WatchedSecret<Kept> => {
    const secret = { ...decodeSecret(native, {}, codec), bytes: jsonBytes(native) };
    const { namespace: home, name, uid, resourceVersion } = secret;
    return { namespace: home, name, uid, resourceVersion, kept: keep(secret) };
  };
  return createWatchable(
    gateway,
    { resource: SECRETS, listKinds: ['SecretList'], labelSelector: codec.liveSelector, decode },
    place,
  );
}

/** Go writes each of these as six characters, also in lists of the cluster. */
const ESCAPED_BY_GO = ['<', '>', '&', '\u2028', '\u2029'] as const;

/** Values are base64, one byte per character, so only the rest has to be serialized to be measured. */
function jsonBytes(native: unknown): number {
  if (!isObject(native)) return 0;
  const { data, ...rest } = native;
  const values = data === undefined || data === null ? [] : entriesOf(data, 'malformedSecret');
  const dataBytes = values.reduce(
    (total, [key, value]) => total + key.length + (typeof value === 'string' ? value.length : 4) + 6,
    data === undefined ? 0 : '"data":null,'.length,
  );
  const text = JSON.stringify(rest);
  return Buffer.byteLength(text) + 5 * escapedIn(text) + dataBytes;
}

/**
 * Not by a regular expression: kubectl stores whole Secrets in an annotation, and V8 keeps the text of the last match
 * in memory.
 */
function escapedIn(text: string): number {
  let count = 0;
  for (const character of ESCAPED_BY_GO) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  }
  return count;
}
