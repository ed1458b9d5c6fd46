import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasks } from '../../src/run/mask.ts';

const masks = (...values: (string | Uint8Array)[]) => {
  const created = createMasks(values.map((value) => Buffer.from(value)));
  if (created.kind === 'too-large') throw new Error('too large');
  return created.create();
};

const masked = (values: (string | Uint8Array)[], chunks: (string | Uint8Array)[]): string => {
  const mask = masks(...values);
  const parts = chunks.map((chunk) => mask.write(Buffer.from(chunk)));
  return Buffer.concat([...parts, mask.end()]).toString('latin1');
};

describe('the mask', () => {
  it('hides a value, wherever its bytes are split', () => {
    const text = 'before hunter22 after';
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        const chunks = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        expect(masked(['hunter22'], chunks), JSON.stringify(chunks)).toBe('before *** after');
      }
    }
  });

  it('hides a value that arrives byte by byte, after a beginning of it', () => {
    expect(masked(['aabaab1'], Array.from('aabaabaab1 aabaab'))).toBe('aab*** aabaab');
  });

  it('leaves values of fewer than six characters', () => {
    expect(masked(['12345', 'ééééé'], ['12345'])).toBe('12345');
    expect(masked(['éééééé'], ['éééééé'])).toBe('***');
  });

  it('hides overlapping values as one, also where the first is written already', () => {
    expect(masked(['abcdef', 'defghi'], ['xabcdefghiy'])).toBe('x***y');
    expect(masked(['abcdef', 'defghi'], Array.from('xabcdefghiy'))).toBe('x***y');
    expect(masked(['abcdef', 'abcdefgh'], ['abcdefgh abcdefg'])).toBe('*** ***g');
    expect(masked(['bcdefg', 'abcdefgh'], ['abcdefgh'])).toBe('***');
  });

  it('hides each long line of a value, and a value whose line break is missing', () => {
    expect(masked(['first line\r\nshort\nlast line\n'], ['> first line\n> short\n> last line.'])).toBe(
      '> ***\n> short\n> ***.',
    );
  });

  it('hides the Base64 form', () => {
    const value = Buffer.from('hunter22');
    expect(masked([value], [`password: ${value.toString('base64')}\n`])).toBe('password: ***=\n');
  });

  it('hides the forms in JSON, addresses and HTML forms', () => {
    const value = 'p@ss "wörd"\n\\1';
    expect(masked([value], [JSON.stringify({ value })])).toBe('{"value":"***"}');
    expect(masked([value], [`?a=${encodeURIComponent(value)}&b`])).toBe('?a=***&b');
    expect(masked([value], [`${String(new URLSearchParams({ value }))}&b`])).toBe('value=***&b');
  });

  it('passes every byte that belongs to no value', () => {
    const bytes = Uint8Array.from({ length: 1024 }, (_, at) => at % 256);
    expect(masked(['hunter22'], [bytes])).toBe(Buffer.from(bytes).toString('latin1'));
  });

  it('hides the same, however the output is split, and what a plain search finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 120 });
    const value = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), text, fc.array(fc.nat(120)), (values, output, cuts) => {
        const ends = [...cuts.map((cut) => Math.min(cut, output.length)), output.length].sort(
          (a, b) => a - b,
        );
        const chunks = ends.map((end, at) => output.slice(ends[at - 1] ?? 0, end));
        const covered = Array.from(output, () => false);
        for (const pattern of values) {
          for (let at = output.indexOf(pattern); at !== -1; at = output.indexOf(pattern, at + 1)) {
            covered.fill(true, at, at + pattern.length);
          }
        }
        const expected = Array.from(output, (c, at) =>
          covered[at] !== true ? c : covered[at - 1] === true ? '' : '***',
        );
        expect(masked(values, chunks)).toBe(expected.join(''));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a byte in constant time, however long a value it may begin', () => {
    const value = Buffer.alloc(256 * 1024, 'a');
    const other = Buffer.alloc(value.length, 'x');
    const microsecondsFor = (output: Uint8Array) => {
      const mask = masks(Buffer.concat([value, Buffer.from('b')]));
      const started = process.threadCpuUsage().user;
      let length = 0;
      for (const byte of output) length += mask.write(Uint8Array.of(byte)).length;
      expect(length + mask.end().length).toBe(value.length);
      return process.threadCpuUsage().user - started;
    };
    microsecondsFor(other);
    expect(microsecondsFor(value)).toBeLessThan(10 * microsecondsFor(other));
  });

  it('refuses more values than it can hold in memory', () => {
    expect(createMasks(Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'a'))).kind).toBe(
      'too-large',
    );
  });
});
