import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/timing/clock.ts';
import { startAttemptTimeout } from '../../../../src/cluster/transport/attempt.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('startDeadline', () => {
  it('ends after its time', () => {
    const { signal } = startAttemptTimeout(new AbortController().signal, 100);
    vi.advanceTimersByTime(99);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it('ends with the work that it belongs to, and at once when that is over', () => {
    const work = new AbortController();
    const { signal } = startAttemptTimeout(work.signal, 100);
    work.abort();
    expect(signal.aborted).toBe(true);
    expect(startAttemptTimeout(work.signal, 100).signal.aborted).toBe(true);
  });

  it('leaves no timer behind once it is stopped, and still ends with the work', () => {
    const work = new AbortController();
    const { signal, stopTimer } = startAttemptTimeout(work.signal, 100);
    stopTimer();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(signal.aborted).toBe(false);
    work.abort();
    expect(signal.aborted).toBe(true);
  });
});

describe('the system clock', () => {
  beforeEach(() => {
    vi.useRealTimers();
  });

  it('sleeps for the time given', async () => {
    const begun = performance.now();
    await systemClock.sleep(50, new AbortController().signal);
    // A timer of Node counts whole milliseconds.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(49);
  });

  it('wakes when the signal is aborted, and does not fall asleep when it is already', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    expect(timers()).toBe(before + 1);
    controller.abort();
    await sleeping;
    await systemClock.sleep(60_000, controller.signal);
    expect(timers()).toBe(before);
  });
});
