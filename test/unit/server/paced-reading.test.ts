import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { paceReading } from '../../../src/server/paced-reading.ts';

const PORTION = 256 * 1_024;

function pacedRequest(onResume: () => void = () => undefined) {
  const request = { pause: vi.fn(), resume: vi.fn(onResume) };
  return { ...request, ...paceReading(request as unknown as Parameters<typeof paceReading>[0]) };
}

describe('a request that is read in portions', () => {
  it('is paused after 256 KiB, and resumed in a later turn of the event loop', async () => {
    const request = pacedRequest();
    request.noteArrived(PORTION - 1);
    expect(request.pause).not.toHaveBeenCalled();
    request.noteArrived(1);
    request.noteArrived(PORTION); // what Node had read already
    expect(request.pause).toHaveBeenCalledOnce();
    expect(request.resume).not.toHaveBeenCalled();
    await nextTurn();
    expect(request.resume).toHaveBeenCalledOnce();
    request.noteArrived(PORTION - 1);
    expect(request.pause).toHaveBeenCalledOnce();
  });

  it('is paused after 1,000 pieces, however small they are', () => {
    const request = pacedRequest();
    for (let piece = 1; piece < 1_000; piece++) request.noteArrived(1);
    expect(request.pause).not.toHaveBeenCalled();
    request.noteArrived(1);
    expect(request.pause).toHaveBeenCalledOnce();
  });

  it('is resumed in a turn in which no other one is', async () => {
    let turn = 0;
    const turns: number[] = [];
    const requests = Array.from({ length: 5 }, () => pacedRequest(() => turns.push(turn)));
    for (const request of requests) request.noteArrived(PORTION);
    while (turns.length < requests.length) {
      await nextTurn();
      turn++;
    }
    expect(new Set(turns).size).toBe(requests.length);
  });

  it('is not resumed once no one wants more of it', async () => {
    const request = pacedRequest();
    request.noteArrived(PORTION);
    request.stop();
    await nextTurn();
    await nextTurn();
    expect(request.resume).not.toHaveBeenCalled();
  });
});
