import type { Actor } from '../access/actor.ts';
import { ServiceError } from '../errors/service-error.ts';
import { dataBytes, sameData, snapshotCollision } from '../history/history.ts';
import type { SecretData, SecretDraft, StoredSecret } from '../kube/secret.ts';
import { eventLoopTurns } from '../timing/event-loop-yielder.ts';
import {
  MAX_ANNOTATION_BYTES,
  MAX_DATA_BYTES,
  MAX_STORED_BYTES,
  MAX_TYPE_BYTES,
} from '../contract/limits.ts';
import {
  builtInName,
  isServiceAccountToken,
  SERVICE_ACCOUNT_TOKEN_RULE,
  typeRuleViolation,
  isBootstrapToken,
} from '../contract/secret-types.ts';
import { bytesOf } from '../contract/text.ts';
import type { TextData } from './input.ts';

/** For a client whose revision is no longer the live one. */
export const RELOAD = 'This Secret was changed meanwhile; reload it and try again';

/** The only namespace from which the cluster reads bootstrap tokens. */
const BOOTSTRAP_NAMESPACE = 'kube-system';

/**
 * A bootstrap token is a credential for the cluster itself, to join a node for example, and writing such a Secret
 * creates one. Access rules and policies are not enough for that: only administrators write them.
 * @throws {ServiceError} `forbidden`
 */
export function requireAdminForBootstrapToken(
  { admin }: Actor,
  { namespace, type }: Pick<StoredSecret, 'namespace' | 'type'>,
): void {
  if (admin || namespace !== BOOTSTRAP_NAMESPACE || !isBootstrapToken(type)) return;
  throw new ServiceError('forbidden', `Only an admin may write bootstrap tokens in ${BOOTSTRAP_NAMESPACE}`, {
    reason: 'bootstrapTokenNeedsAdmin',
  });
}

/**
 * The service can delete service account tokens but never writes them.
 * @throws {ServiceError} `invalidSecret`
 */
export function requireNoServiceAccountToken(type: string): void {
  if (!isServiceAccountToken(type)) return;
  throw new ServiceError('invalidSecret', SERVICE_ACCOUNT_TOKEN_RULE, { reason: 'serviceAccountToken' });
}

/** @throws {ServiceError} `invalidSecret` when the data does not meet what its type requires */
export async function requireTypeRule(type: string, data: SecretData): Promise<void> {
  // A value of a mebibyte may have to be parsed: that is a slice of its own.
  await eventLoopTurns.next();
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return;
  throw new ServiceError(
    'invalidSecret',
    `data does not fit its type: ${builtInName(type) ?? ''} ${violation}`,
    { reason: 'typeRule' },
  );
}

/** @throws {ServiceError} `staleRevision` when the client's revision is not the live one */
export function requireCurrentRevision(live: StoredSecret, resourceVersion: string): void {
  if (live.resourceVersion !== resourceVersion) throw new ServiceError('staleRevision', RELOAD);
}

/** For writes with values: they may be archived already, as the last ones. @throws {ServiceError} `conflict` */
export function requireNotBeingDeleted({ deletionTimestamp }: StoredSecret): void {
  if (deletionTimestamp === undefined) return;
  throw new ServiceError(
    'conflict',
    'This Secret is being deleted: its description and access rules can be changed, its values cannot',
    { reason: 'beingDeleted' },
  );
}

/** @throws {ServiceError} `forbidden` */
export function requireAdminForRecovery({ admin }: Actor, recoverCounter: boolean): void {
  if (!recoverCounter || admin) return;
  throw new ServiceError('forbidden', 'Only an admin may recover the version counter', {
    reason: 'recoverCounterNeedsAdmin',
  });
}

/** @throws {ServiceError} `invalidSecret` when an immutable Secret would get other values */
export function requireSameIfImmutable(live: StoredSecret, data: SecretData): void {
  if (!live.immutable || sameData(live.data, data)) return;
  throw new ServiceError('invalidSecret', 'data of an immutable Secret cannot be changed', {
    reason: 'immutable',
  });
}

/** @throws {ServiceError} `snapshotCollision` when the counter cannot be raised any further */
export function requireNextVersion(version: number): void {
  if (!Number.isSafeInteger(version + 1)) throw snapshotCollision('counterExhausted');
}

/**
 * Bytes, and those of checked texts. A text that is already too long is not encoded: a request may have 16 MiB.
 * @throws {ServiceError} `tooLarge` when all values together exceed 1 MiB; keys are not counted
 */
export function encodeWithinBudget(texts: TextData, binary: SecretData = new Map()): SecretData {
  // In UTF-8 each UTF-16 code unit needs at least one byte.
  const least = texts.values().reduce((sum, text) => sum + text.length, dataBytes(binary));
  const data = new Map(binary);
  if (least <= MAX_DATA_BYTES) for (const [key, text] of texts) data.set(key, bytesOf(text));
  if (least <= MAX_DATA_BYTES && dataBytes(data) <= MAX_DATA_BYTES) return data;
  throw new ServiceError('tooLarge', 'All values of data together must be at most 1,048,576 bytes', {
    reason: 'dataBudget',
  });
}

/**
 * Bytes for what a snapshot gains later: the revision that replaced its source, the record of a deletion, when its
 * orphan was dated. Without space for it the snapshot would never expire.
 */
export const SNAPSHOT_RESERVE = 4_096;

/** @throws {ServiceError} `tooLarge` when the cluster could not store the Secret, or the history could not record it */
export function requireStorable({ type, data, annotations }: Omit<SecretDraft, 'labels'>): void {
  const error = overStorage(data, annotations, 0);
  if (error !== undefined) throw error;
  if (Buffer.byteLength(type) <= MAX_TYPE_BYTES) return;
  throw new ServiceError('tooLarge', 'type must be at most 245,760 bytes, so that history can record it', {
    reason: 'typeBudget',
  });
}

/** The cluster stores every key twice, the second time with a few more bytes, in managedFields. */
const STORED_BYTES_PER_KEY = 24;

/**
 * The error when all annotations, keys and values, exceed 256 KiB, or keys, values and annotations together are more than
 * the cluster can store.
 * @param reserve bytes that must remain
 */
export function overStorage(
  data: SecretData,
  annotations: ReadonlyMap<string, string>,
  reserve: number,
): ServiceError | undefined {
  let annotated = reserve;
  let stored = dataBytes(data) + reserve;
  for (const key of data.keys()) stored += 2 * Buffer.byteLength(key) + STORED_BYTES_PER_KEY;
  for (const [key, value] of annotations) {
    const bytes = Buffer.byteLength(key) + Buffer.byteLength(value);
    annotated += bytes;
    stored += bytes + Buffer.byteLength(key) + STORED_BYTES_PER_KEY;
  }
  if (annotated > MAX_ANNOTATION_BYTES) {
    return new ServiceError(
      'tooLarge',
      'description, access rules and all other annotations together must be at most 262,144 bytes',
      { reason: 'annotationBudget' },
    );
  }
  if (stored <= MAX_STORED_BYTES) return undefined;
  return new ServiceError(
    'tooLarge',
    'The keys and values of data, with all annotations, are more than the cluster can store: ' +
      'at most 1,507,328 bytes, where each key counts twice and 24 bytes more',
    { reason: 'storedBudget' },
  );
}
