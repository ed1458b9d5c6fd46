/** A field as it is encoded: a number, or bytes that hold a text, a message or an entry of a map. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

export class WireError extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/**
 * The fields of a message, in their order.
 * @throws {WireError} when the bytes are no message
 */
export function fieldsOf(message: Buffer): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new WireError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('integer overflow');
  };
  const bytes = (length: number): Buffer => {
    if (length > message.length - at) throw new WireError('unexpected EOF');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    if (number === 0) throw new WireError('illegal tag 0');
    if (type === VARINT) fields.push({ number, value: varint() });
    else if (type === BYTES) fields.push({ number, value: bytes(Number(varint())) });
    else if (type === FIXED64) bytes(8);
    else if (type === FIXED32) bytes(4);
    else throw new WireError(`illegal wire type ${type}`);
  }
  return fields;
}
