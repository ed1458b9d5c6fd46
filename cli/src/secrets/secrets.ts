import { isValidKey } from '../../../src/contract/keys.ts';
import { isNamespaceName, isSecretName, NAME_RULE, NAMESPACE_RULE } from '../../../src/contract/names.ts';
import type { SecretDetail, SecretSummary } from '../../../web/src/api/schema.ts';
import type { CommandContext } from '../command.ts';
import { usage } from '../failure.ts';
import { Refusal, type Service } from '../service/service.ts';

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** A type, so that it has an index signature, as paths do. */
export const pathOf = ({ namespace, name }: SecretRef) => ({ namespace, name });

export const titleOf = ({ namespace, name }: SecretRef): string => `${namespace}/${name}`;

/** Of `NAME`, or of `NAMESPACE/NAME`. @throws {Failure} */
export function refOf(context: Pick<CommandContext, 'namespace'>, text: string): SecretRef {
  const [first = '', second, ...more] = text.split('/');
  const ref =
    second === undefined
      ? { namespace: context.namespace(), name: first }
      : { namespace: first, name: second };
  if (more.length > 0 || !isSecretName(ref.name)) throw usage(`the name of a Secret ${NAME_RULE}`);
  if (!isNamespaceName(ref.namespace)) throw usage(`the namespace ${NAMESPACE_RULE}`);
  return ref;
}

export type Values = ReadonlyMap<string, Uint8Array>;

/** Without any value. @throws {Refusal} */
export async function describe(
  service: Service,
  ref: SecretRef,
  signal?: AbortSignal,
): Promise<SecretSummary> {
  const operation = 'GET /api/namespaces/{namespace}/secrets/{name}';
  return (await service.send(operation, { path: pathOf(ref), query: { values: 'false' }, signal })).secret;
}

export interface ReadSecret {
  readonly summary: SecretSummary;
  readonly values: Values;
}

/** The live state. @throws {Refusal} */
export async function readSecret(
  service: Service,
  ref: SecretRef,
  signal?: AbortSignal,
): Promise<ReadSecret> {
  const operation = 'GET /api/namespaces/{namespace}/secrets/{name}';
  const { secret } = await service.send(operation, { path: pathOf(ref), signal });
  if (!('data' in secret)) throw new Refusal(502, 'the answer has no values');
  return { summary: summaryOf(secret), values: valuesOf(secret) };
}

/** Without the values that some answers have. */
export function summaryOf({ data: _data, binaryData: _binaryData, ...summary }: SecretDetail): SecretSummary {
  return summary;
}

/** An archived version. @throws {Refusal} */
export async function readVersion(service: Service, ref: SecretRef, version: number) {
  const operation = 'GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}';
  const { version: read } = await service.send(operation, {
    path: { ...pathOf(ref), version: String(version) },
  });
  return { resourceVersion: read.resourceVersion, values: valuesOf(read) };
}

/** In the order of the keys, which become names of files and text of a shell. @throws {Refusal} */
function valuesOf({ data, binaryData }: Pick<SecretDetail, 'data' | 'binaryData'>): Values {
  if (![data, binaryData].every((values) => Object.keys(values).every(isValidKey)))
    throw new Refusal(502, 'the answer has a malformed key');
  const all = [
    ...Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'utf8')] as const),
    ...Object.entries(binaryData).map(([key, base64]) => [key, Buffer.from(base64, 'base64')] as const),
  ];
  return new Map(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** One value, byte for byte. @throws {Refusal} */
export function readKey(
  service: Service,
  ref: SecretRef,
  key: string,
  version?: number,
): Promise<Uint8Array> {
  const path = { ...pathOf(ref), key };
  return version === undefined
    ? service.send('GET /api/namespaces/{namespace}/secrets/{name}/keys/{key}', { path })
    : service.send('GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}/keys/{key}', {
        path: { ...path, version: String(version) },
      });
}

export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}

/** @throws {Failure} */
export function versionOf(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw usage('a version is a whole number from 1');
  return Number(text);
}
