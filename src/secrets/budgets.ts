import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { SecretData } from '../kube/secret.ts';
import { dataBytes } from '../history/history.ts';
import type { TextData } from './input.ts';
import {
  MAX_ANNOTATION_BYTES,
  MAX_DATA_BYTES,
  MAX_STORED_BYTES,
  MAX_TYPE_BYTES,
} from '../contract/limits.ts';
import { bytesOf } from '../contract/text.ts';

/**
 * Bytes, and those of checked texts. A text that is already too long is not encoded: a request may have 16 MiB.
 * @throws {ServiceError} `tooLarge` when all values together exceed 1 MiB; keys are not counted
 */
export function encodeWithinBudget(texts: TextData, binary: SecretData = new Map()): SecretData {
  let least = dataBytes(binary);
  // In UTF-8 each UTF-16 code unit needs at least one byte.
  for (const text of texts.values()) least += text.length;
  if (least > MAX_DATA_BYTES) throw overDataBudget();
  const data = new Map(binary);
  for (const [key, text] of texts) data.set(key, bytesOf(text));
  if (dataBytes(data) > MAX_DATA_BYTES) throw overDataBudget();
  return data;
}

function overDataBudget(): ServiceError {
  return new ServiceError('tooLarge', 'All values of data together must be at most 1,048,576 bytes', {
    reason: 'dataBudget',
  });
}

/**
 * Bytes for what a snapshot gains later: the revision that replaced its source, the record of a deletion, when its
 * orphan was dated. Without space for it the snapshot would never expire.
 */
const SNAPSHOT_RESERVE = 4_096;

/** Whether the cluster can store a snapshot with these annotations, and what the service adds to it later. */
export function fitsSnapshotBudget(data: SecretData, annotations: ReadonlyMap<string, string>): boolean {
  try {
    requireSnapshotBudget(data, annotations);
    return true;
  } catch (error) {
    if (isServiceError(error, 'tooLarge')) return false;
    throw error;
  }
}

/** @throws {ServiceError} `tooLarge` */
export function requireSnapshotBudget(data: SecretData, annotations: ReadonlyMap<string, string>): void {
  requireAnnotationBudget(annotations, SNAPSHOT_RESERVE);
  requireStoredBudget(data, annotations, SNAPSHOT_RESERVE);
}

/**
 * @param reserve bytes that must remain
 * @throws {ServiceError} `tooLarge` when all annotations, keys and values, exceed 256 KiB
 */
export function requireAnnotationBudget(annotations: ReadonlyMap<string, string>, reserve = 0): void {
  let total = reserve;
  for (const [key, value] of annotations) total += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (total <= MAX_ANNOTATION_BYTES) return;
  throw new ServiceError(
    'tooLarge',
    'description, access rules and all other annotations together must be at most 262,144 bytes',
    { reason: 'annotationBudget' },
  );
}

/** The cluster stores every key twice, the second time with a few more bytes, in managedFields. */
const STORED_BYTES_PER_KEY = 24;

/** @throws {ServiceError} `tooLarge` when keys, values and annotations together are more than the cluster can store */
export function requireStoredBudget(
  data: SecretData,
  annotations: ReadonlyMap<string, string>,
  reserve = 0,
): void {
  let total = dataBytes(data) + reserve;
  for (const key of data.keys()) total += 2 * Buffer.byteLength(key) + STORED_BYTES_PER_KEY;
  for (const [key, value] of annotations) {
    total += 2 * Buffer.byteLength(key) + STORED_BYTES_PER_KEY + Buffer.byteLength(value);
  }
  if (total <= MAX_STORED_BYTES) return;
  throw new ServiceError(
    'tooLarge',
    'The keys and values of data, with all annotations, are more than the cluster can store: ' +
      'at most 1,507,328 bytes, where each key counts twice and 24 bytes more',
    { reason: 'storedBudget' },
  );
}

/** @throws {ServiceError} `tooLarge` when a Secret of this type could never be archived */
export function requireTypeBudget(type: string): void {
  if (Buffer.byteLength(type) <= MAX_TYPE_BYTES) return;
  throw new ServiceError('tooLarge', 'type must be at most 245,760 bytes, so that history can record it', {
    reason: 'typeBudget',
  });
}
