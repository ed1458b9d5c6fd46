import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startCall } from '../../../src/timing/deadline.ts';

describe('a time budget', () => {
  it('begins with what it was given, and runs', () => {
    const call = startCall(60_000);
    const first = call.remainingMs();
    expect(first).toBeGreaterThan(59_000);
    expect(first).toBeLessThanOrEqual(60_000);
    expect(call.remainingMs()).toBeLessThanOrEqual(first);
    expect(call.signal.aborted).toBe(false);
  });

  it('aborts when it is spent', async () => {
    const call = startCall(5);
    await once(call.signal, 'abort');
    expect(call.signal.aborted).toBe(true);
    expect(call.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('is ended early by whoever may give the work up', () => {
    const stop = new AbortController();
    const call = startCall(60_000, stop.signal);
    expect(call.signal.aborted).toBe(false);
    stop.abort();
    expect(call.signal.aborted).toBe(true);
  });

  it('is over at once when the work was given up before', () => {
    expect(startCall(60_000, AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it('is spent on its own even when somebody could end it', async () => {
    const call = startCall(5, new AbortController().signal);
    await once(call.signal, 'abort');
    expect(call.signal.aborted).toBe(true);
  });
});
