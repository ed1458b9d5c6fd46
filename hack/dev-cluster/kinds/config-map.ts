import { isDeepStrictEqual } from 'node:util';
import { type ApiObject } from '../api/object.ts';
import { type FieldError } from '../api/status.ts';
import { asText, objectAt, own, sortedEntries } from '../json/json.ts';
import { forbiddenField, invalidValue, tooLong } from '../validation/field-errors.ts';
import { configKey, dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { DATA_LIMIT, decodedSize, FROZEN } from './secret.ts';
import { bytes, flag, mapOf, text } from './shape.ts';

export const CONFIG_MAP: Kind = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  goPackage: 'core',
  nameRule: dnsSubdomain,
  fields: { immutable: flag, data: mapOf(text), binaryData: mapOf(bytes) },
  validate: (draft, previous) => [
    ...(previous?.['immutable'] === true ? updateErrors(draft, previous) : []),
    ...keyErrors(draft, 'data', 'binaryData'),
    ...keyErrors(draft, 'binaryData', 'data'),
    ...sizeErrors(draft),
  ],
};

function updateErrors(draft: ApiObject, previous: ApiObject): readonly FieldError[] {
  const errors = draft['immutable'] === true ? [] : [forbiddenField('immutable', FROZEN)];
  const changed = ['data', 'binaryData'].filter((field) => !isDeepStrictEqual(draft[field], previous[field]));
  return [...errors, ...changed.map((field) => forbiddenField(field, FROZEN))];
}

function keyErrors(draft: ApiObject, field: string, other: string): readonly FieldError[] {
  const others = objectAt(draft, other) ?? {};
  return sortedEntries(objectAt(draft, field) ?? {}).flatMap(([key]) => [
    ...configKey(key).map((problem) => invalidValue(`${field}[${key}]`, key, problem)),
    ...(own(others, key) === undefined
      ? []
      : [invalidValue(`${field}[${key}]`, key, `duplicate of key present in ${other}`)]),
  ]);
}

function sizeErrors(draft: ApiObject): readonly FieldError[] {
  const sizeOf = (field: string, measure: (value: string) => number): number =>
    sortedEntries(objectAt(draft, field) ?? {}).reduce((sum, [, value]) => sum + measure(asText(value)), 0);
  const size = sizeOf('data', (value) => Buffer.byteLength(value)) + sizeOf('binaryData', decodedSize);
  // The cluster means the whole object, and writes its empty path so.
  return size > DATA_LIMIT ? [tooLong('[]', DATA_LIMIT)] : [];
}
