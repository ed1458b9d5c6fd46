import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type {
  ControllerReference,
  MetadataChange,
  Preconditions,
  SecretData,
  SecretDraft,
  SecretMetadata,
  SecretRef,
  StoredSecret,
} from '../../kube/secret.ts';
import type { SecretChange } from '../../secrets/ports.ts';
import {
  decodeIdentity,
  field,
  isObject,
  malformed,
  mapOf,
  optionalText,
  requiredText,
  textMap,
  type RawObject,
} from '../objects/raw-object.ts';

const MALFORMED = 'malformedSecret';

export type AnnotationParser = Pick<AnnotationCodec, 'parse'>;

/**
 * Reads the cluster's Secret object. Values become bytes under their own keys, whatever their names are.
 * @throws {ServiceError} `unavailable` when the object is not a Secret, or not the requested one
 */
export function decodeSecret(
  native: unknown,
  expected: Partial<SecretRef>,
  codec: AnnotationParser,
): StoredSecret {
  const metadata = decodeMetadata(native, codec, 'Secret');
  const { namespace, name } = metadata;
  if (namespace !== (expected.namespace ?? namespace) || name !== (expected.name ?? name)) {
    throw malformed('unexpectedSecret');
  }
  return withContents(metadata, native);
}

/**
 * Reads the metadata of a Secret, sent alone or with the values, of which it reads none.
 * @throws {ServiceError} `unavailable` when it is malformed, or of another kind
 */
export function decodeMetadata(
  native: unknown,
  codec: AnnotationParser,
  kind: 'Secret' | 'PartialObjectMetadata' = 'PartialObjectMetadata',
): SecretMetadata {
  const reason = kind === 'Secret' ? MALFORMED : 'malformedMetadata';
  const metadata = field(native, 'metadata');
  const labels = textMap(field(metadata, 'labels'), reason);
  const annotations = textMap(field(metadata, 'annotations'), reason);
  return {
    ...decodeIdentity(native, kind, reason),
    creationTimestamp: requiredText(field(metadata, 'creationTimestamp'), reason),
    deletionTimestamp: optionalText(field(metadata, 'deletionTimestamp'), reason),
    labels,
    annotations,
    managed: codec.parse({ labels, annotations }),
  };
}

/** The whole Secret, of which the metadata has been read. */
export function withContents(metadata: SecretMetadata, native: unknown): StoredSecret {
  return {
    ...metadata,
    type: optionalText(field(native, 'type'), MALFORMED) ?? 'Opaque',
    immutable: decodeFlag(field(native, 'immutable')),
    controllerOwner: decodeControllerOwner(field(field(native, 'metadata'), 'ownerReferences')),
    data: mapOf(field(native, 'data'), MALFORMED, decodeBytes),
    native,
  };
}

/** The cluster allows one at most (https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/). */
function decodeControllerOwner(references: unknown): ControllerReference | undefined {
  if (!Array.isArray(references)) return undefined;
  const owner: unknown = references.find((reference) => field(reference, 'controller') === true);
  const kind = field(owner, 'kind');
  const name = field(owner, 'name');
  if (typeof kind !== 'string' || kind === '') return undefined;
  return typeof name === 'string' && name !== '' ? { kind, name } : { kind };
}

function decodeFlag(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw malformed(MALFORMED);
  return value;
}

function decodeBytes(encoded: unknown): Uint8Array {
  // The cluster treats null as an empty value.
  if (encoded === null) return new Uint8Array();
  if (typeof encoded !== 'string') throw malformed(MALFORMED);
  const bytes = Buffer.from(encoded, 'base64');
  // The cluster writes canonical base64 (RFC 4648, section 4), and Buffer accepts anything. A regular expression would
  // be slower, and V8 keeps the text of the last match in memory.
  if (encoded !== '' && bytes.toString('base64') !== encoded) throw malformed(MALFORMED);
  return bytes;
}

/** The body that creates a Secret. */
export function encodeDraft(draft: SecretDraft): RawObject {
  const { namespace, name, type, immutable = false, labels, annotations, data } = draft;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, labels: encodeTexts(labels), annotations: encodeTexts(annotations) },
    type,
    ...(immutable && { immutable }),
    data: encodeData(data),
  };
}

/**
 * The body that replaces a Secret: the cluster's own object, with fields that this service does not know, and with the
 * revision and uid that make the cluster refuse any other. managedFields go back as they came: sent empty they would be
 * cleared (https://kubernetes.io/docs/reference/using-api/server-side-apply/#clearing-managedfields).
 */
export function encodeReplacement(current: StoredSecret, change: SecretChange): RawObject {
  const { native, namespace, name, uid, resourceVersion } = current;
  if (!isObject(native)) throw malformed(MALFORMED);
  // Write-only, and would take precedence over data.
  const { stringData: _stringData, ...kept } = native;
  const metadata = field(native, 'metadata');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    ...kept,
    metadata: {
      ...(isObject(metadata) ? metadata : {}),
      namespace,
      name,
      uid,
      resourceVersion,
      annotations: encodeTexts(change.annotations),
    },
    ...(change.data !== undefined && { data: encodeData(change.data) }),
  };
}

/** A merge patch (RFC 7396), in which null removes a field. The uid and the resourceVersion in it are preconditions. */
export function encodePatch(
  { uid, resourceVersion }: Preconditions,
  { labels, annotations }: MetadataChange,
): RawObject {
  return {
    metadata: {
      uid,
      resourceVersion,
      ...(labels !== undefined && { labels: encodeTexts(labels) }),
      ...(annotations !== undefined && { annotations: encodeTexts(annotations) }),
    },
  };
}

/** `Object.fromEntries` defines own properties, `__proto__` among them; assignment would not. */
function encodeTexts(texts: ReadonlyMap<string, string | undefined>): RawObject {
  return Object.fromEntries([...texts].map(([key, text]) => [key, text ?? null]));
}

function encodeData(data: SecretData): RawObject {
  return Object.fromEntries(
    [...data].map(([key, { buffer, byteOffset, byteLength }]) => [
      key,
      Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    ]),
  );
}
