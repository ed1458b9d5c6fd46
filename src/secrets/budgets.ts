import { ServiceError } from '../errors/service-error.ts';
import type { SecretData } from '../history/ports.ts';
import { dataBytes } from '../history/secret-data.ts';

/** The cluster's limits, checked before anything is written (Kubernetes: MaxSecretSize, TotalAnnotationSizeLimit). */
export const MAX_DATA_BYTES = 1024 * 1024;
export const MAX_ANNOTATION_BYTES = 256 * 1024;

/** @throws {ServiceError} `tooLarge` when all values together exceed 1 MiB; keys are not counted */
export function requireDataBudget(data: SecretData): void {
  if (dataBytes(data) <= MAX_DATA_BYTES) return;
  throw new ServiceError('tooLarge', 'All values of data together must be at most 1,048,576 bytes', {
    reason: 'dataBudget',
  });
}

/** @throws {ServiceError} `tooLarge` when all annotations, keys and values, exceed 256 KiB */
export function requireAnnotationBudget(annotations: ReadonlyMap<string, string>): void {
  let total = 0;
  for (const [key, value] of annotations) total += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (total <= MAX_ANNOTATION_BYTES) return;
  throw new ServiceError(
    'tooLarge',
    'description, access rules and all other annotations together must be at most 262,144 bytes',
    { reason: 'annotationBudget' },
  );
}

/** A snapshot holds the type of its source as an annotation; its other marks need no more than the rest. */
export const MAX_TYPE_BYTES = MAX_ANNOTATION_BYTES - 16 * 1024;

/** @throws {ServiceError} `tooLarge` when a Secret of this type could never be archived */
export function requireTypeBudget(type: string): void {
  if (Buffer.byteLength(type) <= MAX_TYPE_BYTES) return;
  throw new ServiceError('tooLarge', 'type must be at most 245,760 bytes, so that history can record it', {
    reason: 'typeBudget',
  });
}
