import type { DeleteResult } from '../../secrets/delete-secret.ts';
import type { SecretDetail, SplitValues } from '../../secrets/secret-view.ts';
import type { VersionDetail } from '../../secrets/versions.ts';

/** The domain's values as the API's JSON. Maps become null-prototype objects, which keep all keys. */

type TextMap = Readonly<Record<string, string>>;

export function detailJson({ summary, values }: Pick<SecretDetail, 'summary' | 'values'>) {
  return { ...summary, ...valuesJson(values) };
}

export function versionJson({ summary, values }: VersionDetail) {
  return { ...summary, ...valuesJson(values) };
}

export function deleteJson(result: DeleteResult) {
  if (result.status === 'pending') return result;
  const { status, name, uid, history } = result;
  return { status, name, deleted: name, uid, history };
}

function valuesJson({ text, binary }: SplitValues): { readonly data: TextMap; readonly binaryData: TextMap } {
  return {
    data: jsonObject(text, (value) => value),
    binaryData: jsonObject(binary, (value) => Buffer.from(value).toString('base64')),
  };
}

function jsonObject<Value>(map: ReadonlyMap<string, Value>, format: (value: Value) => string): TextMap {
  const object = Object.create(null) as Record<string, string>;
  for (const [key, value] of map) object[key] = format(value);
  return object;
}
