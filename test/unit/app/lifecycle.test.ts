import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLifecycle, type Component } from '../../../src/app/lifecycle.ts';
import { recordingLogger } from '../observability/log-lines.ts';

const DEADLINE_MS = 1_000;

function fixture(parts: (record: (what: string) => void) => readonly Component[]) {
  const happened: string[] = [];
  const { logger, lines, text } = recordingLogger();
  const lifecycle = createLifecycle(
    parts((what) => void happened.push(what)),
    DEADLINE_MS,
    logger,
  );
  return { happened, lines, text, lifecycle };
}

const recording = (record: (what: string) => void, what: string) => () => {
  record(what);
  return Promise.resolve();
};

const part = (
  record: (what: string) => void,
  name: string,
  overrides: Partial<Component> = {},
): Component => ({
  name,
  start: recording(record, `start ${name}`),
  stop: recording(record, `stop ${name}`),
  ...overrides,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('starting', () => {
  it('that is stopped in between starts nothing further, and stops the part that was starting', async () => {
    const requested = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const { happened, lifecycle } = fixture((record) => [
      part(record, 'a'),
      part(record, 'b', {
        start: async () => {
          requested.resolve(undefined);
          await begun.promise;
          record('start b');
        },
      }),
      part(record, 'c'),
    ]);
    const starting = lifecycle.start();
    await requested.promise;
    const stopping = lifecycle.stop();
    begun.resolve(undefined);
    await Promise.all([starting, stopping]);
    expect(happened).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('goes in order, each part after the one before', async () => {
    const { happened, lifecycle } = fixture((record) => [
      part(record, 'a', {
        start: async () => {
          await Promise.resolve();
          record('start a');
        },
      }),
      part(record, 'b'),
    ]);
    await lifecycle.start();
    expect(happened).toEqual(['start a', 'start b']);
  });

  it('that fails stops what had started, in reverse, and throws the failure', async () => {
    const failure = new Error('no');
    const { happened, lifecycle } = fixture((record) => [
      part(record, 'a'),
      part(record, 'b'),
      part(record, 'c', { start: () => Promise.reject(failure) }),
      part(record, 'd'),
    ]);
    await expect(lifecycle.start()).rejects.toBe(failure);
    expect(happened).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('takes parts that only start, only stop, or do neither', async () => {
    const { happened, lifecycle } = fixture((record) => [
      { name: 'neither' },
      { name: 'starts', start: recording(record, 'start') },
      { name: 'stops', stop: recording(record, 'stop') },
    ]);
    await lifecycle.start();
    await lifecycle.stop();
    expect(happened).toEqual(['start', 'stop']);
  });
});

describe('stopping', () => {
  it('goes in reverse', async () => {
    const { happened, lifecycle, lines } = fixture((record) => [part(record, 'a'), part(record, 'b')]);
    await lifecycle.start();
    happened.length = 0;
    await lifecycle.stop();
    expect(happened).toEqual(['stop b', 'stop a']);
    expect(lines()).toEqual([]);
  });

  it('before anything was started stops nothing', async () => {
    const { happened, lifecycle } = fixture((record) => [part(record, 'a')]);
    await lifecycle.stop();
    expect(happened).toEqual([]);
  });

  it('twice joins the first', async () => {
    const { happened, lifecycle } = fixture((record) => [part(record, 'a')]);
    await lifecycle.start();
    const [first, second] = [lifecycle.stop(), lifecycle.stop()];
    expect(second).toBe(first);
    await first;
    expect(happened.filter((what) => what === 'stop a')).toHaveLength(1);
  });

  it('goes on when a part does not stop cleanly, and names it without quoting it', async () => {
    const { happened, lifecycle, lines, text } = fixture((record) => [
      part(record, 'a'),
      part(record, 'b', { stop: () => Promise.reject(new Error('planted-4711')) }),
    ]);
    await lifecycle.start();
    await lifecycle.stop();
    expect(happened).toContain('stop a');
    expect(lines()).toMatchObject([{ level: 'warn', component: 'b' }]);
    expect(text()).not.toContain('planted-4711');
  });

  it('is cut short at the deadline, one for all parts', async () => {
    const { lifecycle, lines } = fixture((record) => [
      part(record, 'a', { stop: () => new Promise(() => undefined) }),
    ]);
    await lifecycle.start();
    let stopped = false;
    const stopping = lifecycle.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1);
    expect(stopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await stopping;
    expect(lines()).toMatchObject([{ level: 'warn', durationMs: DEADLINE_MS }]);
  });

  it('in time leaves no timer behind', async () => {
    const { lifecycle } = fixture((record) => [part(record, 'a')]);
    await lifecycle.start();
    await lifecycle.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
