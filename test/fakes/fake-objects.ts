import { parsed } from './annotations.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import type {
  SecretData,
  SecretDraft,
  SecretMetadata,
  SecretRef,
  StoredSecret,
} from '../../src/kube/secret.ts';

/** A Secret as the fake keeps it. */
export interface FakeSecret extends StoredSecret {
  readonly finalizers: readonly string[];
}

/** What a test may put in directly, beside what the port can create. */
export interface SecretSeed extends SecretRef {
  readonly type?: string;
  readonly immutable?: boolean;
  readonly labels?: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
  readonly annotations?: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
  /** Text values are stored as UTF-8. */
  readonly data?: Readonly<Record<string, string | Uint8Array>> | SecretData;
  /** With one of these, a deletion only sets the deletion timestamp, until the finalizers are released. */
  readonly finalizers?: readonly string[];
}

export function draftOf(seed: SecretSeed): SecretDraft {
  const { namespace, name, type = 'Opaque', immutable = false } = seed;
  const data = toMap<string | Uint8Array>(seed.data ?? {});
  return {
    namespace,
    name,
    type,
    immutable,
    labels: toMap(seed.labels ?? {}),
    annotations: toMap(seed.annotations ?? {}),
    data: new Map(
      [...data].map(([key, value]) => [key, typeof value === 'string' ? Buffer.from(value) : value]),
    ),
  };
}

function toMap<Value>(
  entries: Readonly<Record<string, Value>> | ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  return entries instanceof Map ? entries : new Map(Object.entries<Value>(entries as Record<string, Value>));
}

/** A copy that shares nothing mutable with the original, parsed as the real store does. */
export function copyOf<Secret extends Omit<StoredSecret, 'managed'>>(
  secret: Secret,
): Secret & Pick<StoredSecret, 'managed'> {
  return parsed({
    ...secret,
    labels: new Map(secret.labels),
    annotations: new Map(secret.annotations),
    data: new Map([...secret.data].map(([key, value]) => [key, Uint8Array.from(value)])),
  });
}

const MAX_DATA_BYTES = 1_048_576;
const MAX_ANNOTATION_BYTES = 262_144;
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The checks of the real cluster that matter to the service's own. */
export function assertAcceptable(secret: Pick<SecretDraft, 'name' | 'annotations' | 'data'>): void {
  const keys = [...secret.data.keys()];
  const valuesLength = [...secret.data.values()].reduce((sum, value) => sum + value.byteLength, 0);
  const annotationsLength = [...secret.annotations].reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  const acceptable =
    secret.name.length <= 253 &&
    NAME.test(secret.name) &&
    keys.every((key) => /^[-._A-Za-z0-9]{1,253}$/.test(key) && key !== '.' && !key.startsWith('..')) &&
    valuesLength <= MAX_DATA_BYTES &&
    annotationsLength <= MAX_ANNOTATION_BYTES;
  if (!acceptable) throw new ServiceError('rejected', 'The cluster rejected the Secret as invalid');
}

export function sameData(one: SecretData, other: SecretData): boolean {
  return (
    one.size === other.size &&
    [...one].every(([key, value]) => {
      const counterpart = other.get(key);
      return counterpart !== undefined && Buffer.compare(value, counterpart) === 0;
    })
  );
}

export function sameTexts(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

/** About what the object weighs in an answer of the cluster. */
export function bytesOf(secret: StoredSecret): number {
  const texts = [...secret.labels, ...secret.annotations].flat().reduce((sum, text) => sum + text.length, 0);
  const data = [...secret.data].reduce((sum, [key, value]) => sum + key.length + value.byteLength * 1.34, 0);
  return 300 + texts + Math.ceil(data);
}

/** A Secret without its values. */
export function metadataOf(secret: StoredSecret): SecretMetadata {
  const { namespace, name, uid, resourceVersion, creationTimestamp, deletionTimestamp } = secret;
  const { labels, annotations, managed } = secret;
  const identity = { namespace, name, uid, resourceVersion };
  return { ...identity, creationTimestamp, deletionTimestamp, labels, annotations, managed };
}
