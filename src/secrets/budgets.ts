import { ServiceError } from '../errors/service-error.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
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
  return overStorage(data, annotations, SNAPSHOT_RESERVE) === undefined;
}

/** @throws {ServiceError} `tooLarge` */
export function requireSnapshotBudget(data: SecretData, annotations: ReadonlyMap<string, string>): void {
  const error = overStorage(data, annotations, SNAPSHOT_RESERVE);
  if (error !== undefined) throw error;
}

/** @throws {ServiceError} `tooLarge` when the cluster could not store the Secret, or the history could not record it */
export function requireStorable({
  type,
  data,
  annotations,
}: Pick<StoredSecret, 'type' | 'data' | 'annotations'>): void {
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
function overStorage(
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
