import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startDeadline, untilAborted } from '../../../src/timing/deadline.ts';

describe('a time budget', () => {
  it('begins with what it was given, and runs', () => {
    const deadline = startDeadline(60_000);
    const first = deadline.remainingMs();
    expect(first).toBeGreaterThan(59_000);
    expect(first).toBeLessThanOrEqual(60_000);
    expect(deadline.remainingMs()).toBeLessThanOrEqual(first);
    expect(deadline.signal.aborted).toBe(false);
  });

  it('aborts when it is spent', async () => {
    const deadline = startDeadline(5);
    await once(deadline.signal, 'abort');
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('is ended early by whoever may give the work up', () => {
    const stop = new AbortController();
    const deadline = startDeadline(60_000, stop.signal);
    expect(deadline.signal.aborted).toBe(false);
    stop.abort();
    expect(deadline.signal.aborted).toBe(true);
  });

  it('is over at once when the work was given up before', () => {
    expect(startDeadline(60_000, AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it('is spent on its own even when someone could end it', async () => {
    const deadline = startDeadline(5, new AbortController().signal);
    await once(deadline.signal, 'abort');
    expect(deadline.signal.aborted).toBe(true);
  });

  it('may be what is left of another one', () => {
    for (const left of [0.5, 1_999.5, -1]) {
      expect(startDeadline(left).signal.aborted).toBe(false);
      expect(startDeadline(left, new AbortController().signal).signal.aborted).toBe(false);
    }
  });
});

describe('untilAborted', () => {
  it('passes on what the promise comes to', async () => {
    const { signal } = new AbortController();
    const result = {};
    expect(await untilAborted(Promise.resolve(result), signal)).toBe(result);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('does not wait for it any longer once the signal is aborted', async () => {
    const controller = new AbortController();
    const left = untilAborted(new Promise<object>(() => undefined), controller.signal);
    controller.abort();
    expect(await left).toBeUndefined();
    expect(await untilAborted(new Promise<object>(() => undefined), controller.signal)).toBeUndefined();
  });
});
