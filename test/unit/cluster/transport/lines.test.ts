import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../../../src/cluster/transport/stream.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';

async function* chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

function linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes = 1_000): Promise<string[]> {
  return Array.fromAsync(splitLines(chunks, maxBytes, (text) => text));
}

describe('splitLines', () => {
  it('gives the same lines however the bytes are cut', async () => {
    const texts = fc.array(
      fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\n')),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(20)), async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const pieces: Uint8Array[] = [];
        let start = 0;
        for (const cut of cuts) {
          pieces.push(bytes.subarray(start, start + cut));
          start += cut;
        }
        pieces.push(bytes.subarray(start));
        expect(await linesOf(chunksOf(...pieces), 100_000)).toEqual(lines);
      }),
    );
  });

  it('passes over empty lines', async () => {
    expect(await linesOf(chunksOf('\n\na\n\n'))).toEqual(['a']);
  });

  it('takes a line of the greatest length and none beyond, ended or not', async () => {
    expect(await linesOf(chunksOf('12345\n12345\n'), 5)).toEqual(['12345', '12345']);
    expect(await codeOf(linesOf(chunksOf('123456\n'), 5))).toBe('responseTooLarge');
    expect(await codeOf(linesOf(chunksOf('123', '456'), 5))).toBe('responseTooLarge');
  });

  it('does not take the beginning of a line for a line', async () => {
    expect(await codeOf(linesOf(chunksOf('whole\npart')))).toBe('unavailable');
  });

  it('refuses what is not UTF-8', async () => {
    expect(await codeOf(linesOf(chunksOf(Uint8Array.of(0xff, 0x0a))))).toBe('unavailable');
  });
});
