import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../src/server/body.ts';
import { collectGarbage } from '../../harness/collect-garbage.ts';
import { bodyOf, exchange, refused } from './body-fixture.ts';

/** What is left of them: V8 frees the memory of what it has collected a moment later. */
async function arrayBufferBytes(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await sleep(20);
  }
  return process.memoryUsage().arrayBuffers;
}

describe('a body of 16 MiB', () => {
  const padding = Buffer.alloc(1024 * 1024, 0x20);
  const mebibytes = (count: number) => Array<Buffer>(count).fill(padding);

  it('is taken', async () => {
    expect(await bodyOf([...mebibytes(15), padding.subarray(2), '{}'])).toEqual({});
  });

  it('and one byte is refused', async () => {
    await expect(bodyOf([...mebibytes(15), padding.subarray(1), '{}'])).rejects.toThrow(
      refused('tooLarge', 'The request body must be at most 16 MiB'),
    );
  });

  it('that goes on is not read on', async () => {
    const { stream, read, sent } = exchange();
    const body = read();
    for (const chunk of mebibytes(17)) stream.write(chunk);
    await expect(body).rejects.toThrow(refused('tooLarge'));
    expect(stream.isPaused()).toBe(true);
    expect(stream.listenerCount('data')).toBe(0);
    expect(sent.get('connection')).toBe('close');
  });

  it('that is refused is no longer held, while its error is', async () => {
    const { stream, read, budget } = exchange();
    budget.left = 12 * 1024 * 1024;
    const before = await arrayBufferBytes();
    const body = read();
    for (const chunk of mebibytes(13)) stream.write(chunk);
    const error: unknown = await body.catch((thrown: unknown) => thrown);
    stream.destroy();
    expect((await arrayBufferBytes()) - before).toBeLessThan(4 * 1024 * 1024);
    expect(error).toEqual(refused('bodyBudgetExceeded'));
  });

  it('is refused by its announced length before it is read', async () => {
    const { stream, read } = exchange({
      'content-type': 'application/json',
      'content-length': String(MAX_BODY_BYTES + 1),
    });
    await expect(read()).rejects.toThrow(refused('tooLarge'));
    expect(stream.listenerCount('data')).toBe(0);
  });
});

describe('the structure of a body', () => {
  const TOO_STRUCTURED = refused(
    'tooLarge',
    'The JSON of the request body must be at most 64 levels deep, with at most 200,000 structural characters and 3,000,000 escapes',
  );

  it('may have 64 levels', async () => {
    await expect(bodyOf(['['.repeat(64), ']'.repeat(64)])).resolves.toBeDefined();
  });

  it('of 65 levels is refused before it is parsed, in the piece that has the 65th', async () => {
    const { stream, read, refusals, sent } = exchange();
    const body = read();
    stream.write('['.repeat(64));
    stream.write('[');
    await expect(body).rejects.toThrow(TOO_STRUCTURED);
    expect(refusals).toEqual(['body_structure']);
    expect(stream.isPaused()).toBe(true);
    expect(stream.listenerCount('data')).toBe(0);
    expect(sent.get('connection')).toBe('close');
  });

  it('may have 200,000 structural characters and no more', async () => {
    const array = (commas: number) => `[${'1,'.repeat(commas)}1]`;
    await expect(bodyOf([array(199_998)])).resolves.toHaveLength(199_999);
    await expect(bodyOf([array(199_999)])).rejects.toThrow(TOO_STRUCTURED);
  });
});

describe('a body over the budget', () => {
  it('is refused with what the budget says, in the piece that does not fit, and is not read on', async () => {
    const { stream, read, budget } = exchange();
    budget.left = 3;
    const body = read();
    stream.write('{"a"');
    await expect(body).rejects.toThrow(refused('bodyBudgetExceeded'));
    expect(stream.isPaused()).toBe(true);
    expect(stream.listenerCount('data')).toBe(0);
  });
});
