import { expect, it } from 'vitest';
import { withoutSymbols } from '../../../hack/image-node/without-symbols.ts';

/** An ELF file of one segment at `offset`, with 64 bytes of symbols behind it. */
function program({ offset = 0, size = 128 } = {}): Buffer {
  const file = Buffer.alloc(192, 7);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]).copy(file);
  file.writeBigUInt64LE(64n, 32); // the program headers follow the header
  file.writeUInt16LE(1, 56);
  file.writeBigUInt64LE(BigInt(offset), 64 + 8);
  file.writeBigUInt64LE(BigInt(size), 64 + 32);
  return file;
}

it('ends a program after its last segment, and leaves what is loaded as it was but for the table of sections', () => {
  const [whole, slim] = [program(), withoutSymbols(program())];
  expect(slim).toHaveLength(128);
  const changed = [...(slim ?? [])].flatMap((byte, index) => (byte === whole[index] ? [] : [index]));
  expect(changed).toEqual([...[40, 41, 42, 43, 44, 45, 46, 47], ...[60, 61, 62, 63]]);
});

it('refuses a program whose last segment is not all there, and leaves other files to the caller', () => {
  expect(() => withoutSymbols(program({ size: 193 }))).toThrow('ends before its last segment');
  expect(withoutSymbols(Buffer.from('#!/bin/sh\n'))).toBeUndefined();
});
