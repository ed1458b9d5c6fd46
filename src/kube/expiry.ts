import { isExpiryTime, parseExpiryTime, parsePeriod } from '../contract/expiry.ts';
import { formatTime, parseTime } from '../contract/times.ts';
import type { AnnotationNames } from './annotation-names.ts';
import type { ExpiryAnnotations } from './managed-metadata.ts';
import type { SecretMetadata } from './secret.ts';

/** Undefined if there are none, as on nearly all Secrets. What is malformed is left out, and what is empty is absent. */
export function parseExpiry(
  annotations: ReadonlyMap<string, string>,
  names: AnnotationNames,
): ExpiryAnnotations | undefined {
  const given = [names.expiresAt, names.rotateEvery, names.valuesChangedAt];
  if (!given.some((name) => annotations.has(name))) return undefined;
  let isMalformed = false;
  const read = <Value>(name: string, parse: (text: string) => Value | undefined): Value | undefined => {
    const text = annotations.get(name) ?? '';
    const value = text === '' ? undefined : parse(text);
    isMalformed ||= text !== '' && value === undefined;
    return value;
  };
  const expiresAt = read(names.expiresAt, parseExpiryTime);
  const rotateEvery = read(names.rotateEvery, (text) => (parsePeriod(text) === undefined ? undefined : text));
  const valuesChangedAt = read(names.valuesChangedAt, parseExpiryTime);
  return { expiresAt, rotateEvery, valuesChangedAt, isMalformed };
}

/** What says when the values of a Secret changed. */
export type Dated = Pick<SecretMetadata, 'managed' | 'creationTimestamp'>;

/**
 * When the values last changed, in milliseconds since 1970, as far as the object says: by its own annotation, which it has
 * since it first had a period of rotation; before that, its last write through the service, or its creation.
 */
export function valuesChangedAt({ managed, creationTimestamp }: Dated): number {
  const { expiry, lastModifiedAt = '' } = managed;
  return expiry?.valuesChangedAt ?? parseTime(lastModifiedAt) ?? parseTime(creationTimestamp) ?? 0;
}

/** What a summary says of the expiry of a Secret. */
export interface DeclaredExpiry {
  /** RFC 3339, UTC. */
  readonly expiresAt?: string;
  /** A duration. */
  readonly rotateEvery?: string;
  /** RFC 3339, UTC. */
  readonly rotationDueAt?: string;
}

export function declaredExpiry(secret: Dated): DeclaredExpiry {
  const { expiresAt, rotateEvery } = secret.managed.expiry ?? {};
  const due = valuesChangedAt(secret) + (parsePeriod(rotateEvery ?? '') ?? NaN);
  return {
    ...(expiresAt !== undefined && { expiresAt: formatTime(expiresAt) }),
    ...(rotateEvery !== undefined && { rotateEvery }),
    ...(isExpiryTime(due) && { rotationDueAt: formatTime(due) }),
  };
}
