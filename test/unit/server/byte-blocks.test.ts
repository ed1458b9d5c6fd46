import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createByteBlocks } from '../../../src/server/byte-blocks.ts';

it('bytes come back as they came in, whatever their pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 40 }), (pieces) => {
      const blocks = createByteBlocks();
      for (const piece of pieces) blocks.append(piece);
      expect(Buffer.concat(blocks.take())).toEqual(Buffer.concat(pieces));
    }),
  );
});

it('many small pieces become few blocks, and none of them is kept', () => {
  const blocks = createByteBlocks();
  const piece = Uint8Array.of(1);
  for (let count = 0; count < 1_000_000; count++) blocks.append(piece);
  piece[0] = 2;
  const taken = blocks.take();
  expect(taken.length).toBeLessThan(30);
  expect(Math.max(...taken.map(({ byteLength }) => byteLength))).toBe(65_536);
  expect(taken.some((block) => block.includes(2))).toBe(false);
  expect(blocks.take(), 'they are handed over once').toEqual([]);
});
