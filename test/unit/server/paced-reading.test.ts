import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { readInTurns } from '../../../src/server/paced-reading.ts';

const PORTION = 256 * 1_024;

function pacedRequest(onResume: () => void = () => undefined) {
  const request = Object.assign(new EventEmitter(), { pause: vi.fn(), resume: vi.fn(onResume) });
  const stop = readInTurns(request as unknown as Parameters<typeof readInTurns>[0]);
  const arrive = (byteLength: number) => request.emit('data', { byteLength });
  return { pause: request.pause, resume: request.resume, arrive, stop };
}

describe('a request that is read in portions', () => {
  it('is paused after 256 KiB, and resumed in a later turn of the event loop', async () => {
    const request = pacedRequest();
    request.arrive(PORTION - 1);
    expect(request.pause).not.toHaveBeenCalled();
    request.arrive(1);
    request.arrive(PORTION); // what Node had read already
    expect(request.pause).toHaveBeenCalledOnce();
    expect(request.resume).not.toHaveBeenCalled();
    await nextTurn();
    expect(request.resume).toHaveBeenCalledOnce();
    request.arrive(PORTION - 1);
    expect(request.pause).toHaveBeenCalledOnce();
  });

  it('is paused after 1,000 pieces, however small they are', () => {
    const request = pacedRequest();
    for (let piece = 1; piece < 1_000; piece++) request.arrive(1);
    expect(request.pause).not.toHaveBeenCalled();
    request.arrive(1);
    expect(request.pause).toHaveBeenCalledOnce();
  });

  it('is resumed in a turn in which no other one is', async () => {
    let turn = 0;
    const turns: number[] = [];
    const requests = Array.from({ length: 5 }, () => pacedRequest(() => turns.push(turn)));
    for (const request of requests) request.arrive(PORTION);
    while (turns.length < requests.length) {
      await nextTurn();
      turn++;
    }
    expect(new Set(turns).size).toBe(requests.length);
  });

  it('is not resumed once no one wants more of it', async () => {
    const request = pacedRequest();
    request.arrive(PORTION);
    request.stop();
    await nextTurn();
    await nextTurn();
    expect(request.resume).not.toHaveBeenCalled();
  });
});
