import { describe, expect, it } from 'vitest';
import { jsonInSlices } from '../../../src/timing/json-in-slices.ts';
import { turnsDuring } from '../../harness/turns-during.ts';

const PIECE = 262_144;

describe('JSON in slices', () => {
  it.each([
    ['no items', []],
    ['one', ['a']],
    ['characters of several bytes', ['ä', '😀', '\u2028']],
    ['items of a piece', ['x'.repeat(PIECE), 'y'.repeat(PIECE - 2), 'z']],
    ['many', Array.from({ length: 50_000 }, (_, index) => `item ${index}`)],
  ])('is what JSON.stringify writes: %s', async (_what, texts) => {
    const items = texts.values().map((text) => JSON.stringify({ text }));
    const bytes = await jsonInSlices('{"items":[', items, '],"end":true}');
    expect(bytes.toString()).toBe(JSON.stringify({ items: texts.map((text) => ({ text })), end: true }));
  });

  it('lets others run in between', async () => {
    const texts = Array.from({ length: 10 }, () => 'x'.repeat(PIECE));
    const items = texts.values().map((text) => {
      const end = performance.now() + 6;
      while (performance.now() < end);
      return JSON.stringify(text);
    });
    expect(await turnsDuring(() => jsonInSlices('[', items, ']'))).toBeGreaterThanOrEqual(9);
  });
});
