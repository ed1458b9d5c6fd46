import type { SecretDetail } from '../../api/secrets-api.ts';
import { bytesOf } from '../../../../src/contract/text.ts';
import { bytesOfBase64 } from '../../values/bytes.ts';

/** A Secret as it is, or one of its versions. */
export type ShownSecret = Pick<SecretDetail, 'namespace' | 'name' | 'type' | 'immutable' | 'text' | 'binary'>;

/** A value as a line shows it. */
export interface NamedValue {
  /** Base64 of a binary value. */
  readonly text: string;
  readonly isBinary: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What is read out. */
  readonly label: string;
}

export function valueOf({ text, binary }: ShownSecret, name: string): NamedValue {
  const base64 = binary.get(name);
  if (base64 === undefined) {
    const value = text.get(name) ?? '';
    return { text: value, isBinary: false, bytes: new Uint8Array(bytesOf(value)), label: name };
  }
  return {
    text: base64,
    isBinary: true,
    bytes: bytesOfBase64(base64),
    label: `${name} as base64`,
  };
}
