import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ListAnswers, type Visibility } from '../../../src/lists/list-answers.ts';
import { createCompressor, createListBody, type Compress } from '../../../src/lists/list-body.ts';
import { viewOf } from '../../../src/lists/views.ts';
import { itemOf } from './items.ts';

const PLAIN = Buffer.from('{"some":"text"}'.repeat(1_000));
const ALL: Visibility = { canCreate: true, key: 'everyone', isVisible: () => true };

const items = (count: number, namespace = 'ns') =>
  viewOf(
    namespace,
    Array.from({ length: count }, (_, index) => itemOf(`s${index}`, { description: 'x'.repeat(200) })),
  );

function counting(): { readonly compress: Compress; readonly count: () => number } {
  const compress = createCompressor();
  let made = 0;
  return {
    count: () => made,
    compress: (bytes) => {
      made++;
      return compress(bytes);
    },
  };
}

describe('the compressed copy of a list', () => {
  it('is the list, and much shorter', async () => {
    const copy = await createListBody(PLAIN, createCompressor(), () => undefined).gzipped();
    expect(gunzipSync(copy)).toEqual(PLAIN);
    expect(copy.byteLength).toBeLessThan(PLAIN.byteLength / 10);
  });

  it('is made when it is first wanted, once for everyone', async () => {
    const { compress, count } = counting();
    const answers = new ListAnswers(1_000_000, compress);
    const state = await items(50);
    const bodies = await Promise.all([1, 2, 3].map(() => answers.answer(state, ALL)));
    expect(count()).toBe(0);
    const copies = await Promise.all(bodies.map((body) => body.gzipped()));
    const later = await (await answers.answer(state, ALL)).gzipped();
    expect(count()).toBe(1);
    expect(new Set([...copies, later]).size).toBe(1);
  });

  it('counts in what is kept, and goes with its body', async () => {
    const answers = new ListAnswers(1_000_000, createCompressor());
    const body = await answers.answer(await items(50), ALL);
    const before = answers.bytes();
    const copy = await body.gzipped();
    expect(answers.bytes()).toBe(before + copy.byteLength);
    await answers.answer(await items(50), ALL);
    expect(answers.bytes()).toBe(before);
  });

  it('of a state that is over is not counted', async () => {
    const answers = new ListAnswers(1_000_000, createCompressor());
    const body = await answers.answer(await items(50), ALL);
    await answers.answer(await items(50), ALL);
    const before = answers.bytes();
    await body.gzipped();
    expect(answers.bytes()).toBe(before);
  });

  it('makes others go where both do not fit', async () => {
    const [one, other] = [await items(50, 'one'), await items(50, 'other')];
    const answers = new ListAnswers(35_000, createCompressor());
    await answers.answer(one, ALL);
    const body = await answers.answer(other, ALL);
    await body.gzipped();
    expect(answers.bytes()).toBeLessThanOrEqual(35_000);
    expect(await answers.answer(other, ALL)).toBe(body);
  });

  it('is made again after a failure', async () => {
    const failures = [new Error('failed')];
    const body = createListBody(
      PLAIN,
      (bytes) => {
        const failure = failures.pop();
        return failure === undefined ? Promise.resolve(bytes) : Promise.reject(failure);
      },
      () => undefined,
    );
    await expect(body.gzipped()).rejects.toThrow('failed');
    expect(await body.gzipped()).toBe(PLAIN);
  });
});
