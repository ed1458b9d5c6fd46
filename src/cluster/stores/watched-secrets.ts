import type { WatchedPlace } from '../../access/namespace-scope.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { StoredSecret } from '../../kube/secret.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import type { Gateway } from '../transport/gateway.ts';
import { entriesOf, isObject } from './raw-object.ts';
import { SECRETS } from './resources.ts';
import { decodeSecret } from './secret-codec.ts';
import { createWatchable } from './watchable.ts';

/** What this module returns of a Secret that is listed or watched. */
export interface WatchedSecret<Kept> extends WatchedObject {
  readonly kept: Kept;
}

/** A whole Secret, for the moment in which it is decided what is kept of it. */
export interface ArrivedSecret extends StoredSecret {
  /** Its size as JSON, as a list would count it. */
  readonly bytes: number;
}

/**
 * Lists and watches whole Secrets that are no snapshots. Each becomes what `keep` makes of it as it
 * arrives: no stream, no page and no waiting function holds a value until the next one comes.
 */
export function watchSecrets<Kept>(
  gateway: Pick<Gateway, 'request' | 'stream'>,
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

/** Go writes these as six characters, in lists of the cluster too. */
const ESCAPED_BY_GO = ['<', '>', '&', '\u2028', '\u2029'] as const;

/** Values are base64, one byte a character, so that only the rest has to be serialized to be measured. */
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

/** Not by a regular expression: kubectl leaves whole Secrets in an annotation, and V8 keeps what one has matched last. */
function escapedIn(text: string): number {
  let count = 0;
  for (const character of ESCAPED_BY_GO) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  }
  return count;
}
