import type { RevisionReads } from '../../api/revision-reads.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { textOf } from '../../../../src/contract/text.ts';
import { base64Of } from '../../values/bytes.ts';

/** The keys of a Secret, or of one of its versions, and how its values are read: the same while they are. */
export interface ShownSecret extends SecretRef, RevisionReads {
  readonly type: string;
  readonly immutable: boolean;
  readonly keys: readonly string[];
  readonly binaryKeys: readonly string[];
  /** When the certificate in `tls.crt` expires, where it is known without reading it. */
  readonly certificateNotAfter?: string;
}

/** A value as a line shows it. */
export interface NamedValue {
  /** Base64 of a binary value. */
  readonly text: string;
  readonly isBinary: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function valueOf(bytes: Uint8Array<ArrayBuffer>): NamedValue {
  const text = textOf(bytes);
  return { text: text ?? base64Of(bytes), isBinary: text === undefined, bytes };
}
