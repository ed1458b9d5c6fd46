import { type ApiObject, type ObjectMeta } from '../api/object.ts';
import { type FieldError } from '../api/status.ts';
import { asText, sortedEntries, type JsonObject } from '../json/json.ts';
import { type Kind } from '../kinds/kind.ts';
import { forbiddenField, IMMUTABLE, invalidValue, required, tooLong } from './field-errors.ts';
import { labelValue, qualifiedName } from './names.ts';

/** All keys and values of an object's annotations together. */
const ANNOTATION_LIMIT = 262_144;
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** The rules that every object's metadata must keep. */
export function validateMetadata(kind: Kind, draft: ApiObject): readonly FieldError[] {
  const meta = draft.metadata;
  return [
    ...nameErrors(kind, meta),
    ...ownerErrors(meta),
    ...finalizerErrors(meta.finalizers ?? []),
    ...labelErrors(meta.labels ?? {}),
    ...annotationErrors(meta.annotations ?? {}),
  ];
}

/** What an update may not change. */
export function validateMetadataUpdate(draft: ApiObject, previous: ApiObject): readonly FieldError[] {
  const before = previous.metadata;
  const after = draft.metadata;
  const frozen = (
    ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const
  ).filter((field) => after[field] !== before[field]);
  return [
    ...frozen.map((field) => invalidValue(`metadata.${field}`, String(after[field] ?? ''), IMMUTABLE)),
    ...newFinalizerErrors(after, before),
  ];
}

function nameErrors(kind: Kind, meta: ObjectMeta): readonly FieldError[] {
  if (meta.name === '') return [required('metadata.name', 'name or generateName is required')];
  return kind.nameRule(meta.name).map((problem) => invalidValue('metadata.name', meta.name, problem));
}

function ownerErrors(meta: ObjectMeta): readonly FieldError[] {
  const owners = meta.ownerReferences ?? [];
  const field = 'metadata.ownerReferences';
  const missing = owners.flatMap((owner) => [
    ...(owner.apiVersion === ''
      ? [invalidValue(`${field}.apiVersion`, '', 'version must not be empty')]
      : []),
    ...(['kind', 'name', 'uid'] as const)
      .filter((part) => owner[part] === '')
      .map((part) => invalidValue(`${field}.${part}`, '', 'must not be empty')),
  ]);
  const controllers = owners.filter((owner) => owner['controller'] === true).length;
  if (controllers < 2) return missing;
  return [...missing, invalidValue(field, '', 'Only one reference can have Controller set to true')];
}

function finalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  const field = 'metadata.finalizers';
  const malformed = finalizers.flatMap((name) =>
    qualifiedName(name).map((problem) => invalidValue(field, name, problem)),
  );
  const unqualified = finalizers.flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [
          invalidValue(
            `${field}[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
  return [...malformed, ...unqualified];
}

function newFinalizerErrors(after: ObjectMeta, before: ObjectMeta): readonly FieldError[] {
  if (before.deletionTimestamp === undefined) return [];
  const known = new Set(before.finalizers);
  const added = (after.finalizers ?? []).filter((name) => !known.has(name));
  if (added.length === 0) return [];
  const found = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`,
    ),
  ];
}

function labelErrors(labels: JsonObject): readonly FieldError[] {
  const field = 'metadata.labels';
  return sortedEntries(labels).flatMap(([key, value]) => [
    ...qualifiedName(key).map((problem) => invalidValue(field, key, problem)),
    ...labelValue(asText(value)).map((problem) => invalidValue(field, asText(value), problem)),
  ]);
}

function annotationErrors(annotations: JsonObject): readonly FieldError[] {
  const field = 'metadata.annotations';
  const entries = sortedEntries(annotations);
  const malformed = entries.flatMap(([key]) =>
    qualifiedName(key.toLowerCase()).map((problem) => invalidValue(field, key, problem)),
  );
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(asText(value)),
    0,
  );
  return size > ANNOTATION_LIMIT ? [...malformed, tooLong(field, ANNOTATION_LIMIT)] : malformed;
}
