import { createCipheriv } from 'node:crypto';
import { der, integer, oid } from '../../../fakes/der.ts';
import type { Choices } from '../random.ts';

export const NULL = Buffer.of(0x05, 0x00);
export const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts));
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));

/** A number that fits into 31 bits. */
export function small(value: number): Buffer {
  const bytes = Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
  const first = bytes.findIndex((byte) => byte !== 0);
  return integer(bytes.subarray(first === -1 ? 3 : first));
}

/** An object identifier as people write it, with dots. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return oid(Buffer.from([first * 40 + second, ...rest.flatMap(base128)]).toString('hex'));
}

function base128(value: number): readonly number[] {
  const digits = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift((left % 128) + 128);
  return digits;
}

/** Repeatable bytes that look random. */
export function randomBytes({ below }: Choices, count: number): Buffer {
  const key = Buffer.from(Array.from({ length: 32 }, () => below(256)));
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(count));
}

/** A number of exactly so many bits; odd, as a modulus has to be. */
export function randomNumber(choices: Choices, bitCount: number): Buffer {
  const bytes = randomBytes(choices, Math.ceil(bitCount / 8));
  const above = bytes.byteLength * 8 - bitCount;
  bytes[0] = ((bytes[0] ?? 0) & (0xff >> above)) | (0x80 >> above);
  bytes[bytes.byteLength - 1] = (bytes.at(-1) ?? 0) | 1;
  return bytes;
}
