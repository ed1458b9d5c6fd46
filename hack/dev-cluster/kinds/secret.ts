import { isDeepStrictEqual } from 'node:util';
import { type ApiObject } from '../api/object.ts';
import { type FieldError } from '../api/status.ts';
import { goJsonProblem } from '../json/go-json.ts';
import { asText, objectAt, own, sortedEntries, textAt, type Json, type JsonObject } from '../json/json.ts';
import { forbiddenField, IMMUTABLE, invalidValue, required, tooLong } from '../validation/field-errors.ts';
import { configKey, dnsSubdomain } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { bytes, flag, mapOf, text } from './shape.ts';

/** All values of a Secret together, decoded; keys are not counted. */
export const DATA_LIMIT = 1_048_576;
export const FROZEN = 'field is immutable when `immutable` is set';
const REDACTED = '"<secret contents redacted>"';

export const SECRET: Kind = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  resource: 'secrets',
  namespaced: true,
  goPackage: 'core',
  nameRule: dnsSubdomain,
  fields: { immutable: flag, data: mapOf(bytes), stringData: mapOf(text), type: text },
  prepare: (draft) => withDefaults(draft),
  validate: (draft, previous) => [
    ...(previous === undefined ? [] : updateErrors(draft, previous)),
    ...dataErrors(draft),
    ...typeErrors(draft),
  ],
  selectable: (object) => ({ type: textAt(object, 'type') }),
};

export function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** stringData is write-only: it is merged into data, and wins. An absent type is Opaque. */
function withDefaults(draft: ApiObject): ApiObject {
  const { stringData, data, type, ...rest } = draft;
  const merged = mergedData(objectAt(data) ?? {}, objectAt(stringData) ?? {});
  return {
    ...rest,
    ...(Object.keys(merged).length === 0 ? {} : { data: merged }),
    type: type === undefined || type === '' ? 'Opaque' : type,
  };
}

function mergedData(data: JsonObject, stringData: JsonObject): JsonObject {
  const values = new Map<string, Json>(sortedEntries(data));
  for (const [key, value] of sortedEntries(stringData)) {
    values.set(key, Buffer.from(asText(value), 'utf8').toString('base64'));
  }
  return Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function updateErrors(draft: ApiObject, previous: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (draft['type'] !== previous['type']) errors.push(invalidValue('type', textAt(draft, 'type'), IMMUTABLE));
  if (previous['immutable'] !== true) return errors;
  if (draft['immutable'] !== true) errors.push(forbiddenField('immutable', FROZEN));
  if (!isDeepStrictEqual(draft['data'], previous['data'])) errors.push(forbiddenField('data', FROZEN));
  return errors;
}

function dataErrors(draft: ApiObject): readonly FieldError[] {
  const entries = sortedEntries(objectAt(draft, 'data') ?? {});
  const keys = entries.flatMap(([key]) =>
    configKey(key).map((problem) => invalidValue(`data[${key}]`, key, problem)),
  );
  const size = entries.reduce((sum, [, value]) => sum + decodedSize(asText(value)), 0);
  return size > DATA_LIMIT ? [...keys, tooLong('data', DATA_LIMIT)] : keys;
}

/** What each built-in type demands; custom types and the bootstrap token demand nothing. */
function typeErrors(draft: ApiObject): readonly FieldError[] {
  const data = objectAt(draft, 'data') ?? {};
  const absent = (key: string): boolean => own(data, key) === undefined;
  const need = (...keys: string[]): FieldError[] =>
    keys.filter(absent).map((key) => required(`data[${key}]`));
  switch (draft['type']) {
    case 'kubernetes.io/basic-auth':
      return absent('username') && absent('password') ? need('username', 'password') : [];
    case 'kubernetes.io/ssh-auth':
      return textAt(data, 'ssh-privatekey') === '' ? [required('data[ssh-privatekey]')] : [];
    case 'kubernetes.io/tls':
      return need('tls.crt', 'tls.key');
    case 'kubernetes.io/dockerconfigjson':
      return dockerErrors(data, '.dockerconfigjson');
    case 'kubernetes.io/dockercfg':
      return dockerErrors(data, '.dockercfg');
    case 'kubernetes.io/service-account-token':
      return accountErrors(draft);
    default:
      return [];
  }
}

function accountErrors(draft: ApiObject): readonly FieldError[] {
  const annotation = 'kubernetes.io/service-account.name';
  const field = `metadata.annotations[${annotation}]`;
  return textAt(draft.metadata.annotations, annotation) === '' ? [required(field)] : [];
}

function dockerErrors(data: JsonObject, key: string): readonly FieldError[] {
  const value = own(data, key);
  const field = `data[${key}]`;
  if (value === undefined) return [required(field)];
  const content = Buffer.from(asText(value), 'base64');
  const problem = goJsonProblem(content) ?? notAnObject(content);
  if (problem === undefined) return [];
  return [{ field, reason: 'FieldValueInvalid', message: `Invalid value: ${REDACTED}: ${problem}` }];
}

/** The content is JSON; the cluster reads it into a map, which takes an object or null. */
function notAnObject(content: Buffer): string | undefined {
  const value = JSON.parse(content.toString('utf8')) as Json;
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}
