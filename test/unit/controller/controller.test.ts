import { describe, expect, it, onTestFinished } from 'vitest';
import { runController, type Outcome } from '../../../src/controller/controller.ts';
import { WorkQueue } from '../../../src/controller/work-queue.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createVirtualClock, settled } from '../../fakes/virtual-clock.ts';

/** A controller whose reconcile answers from a script, and by `done` after it. */
function fixture(script: (Outcome | Error)[], workers = 1) {
  const clock = createVirtualClock();
  const end = new AbortController();
  const queue = new WorkQueue({ clock, random: () => 1 }, end.signal);
  const seen: { key: string; at: number }[] = [];
  const observed: string[] = [];
  const log: string[] = [];
  const gate: { hold: Promise<void> | undefined } = { hold: undefined };
  const running = runController(
    {
      queue,
      workers,
      budgetMs: 1_000,
      clock,
      reconcile: async (key) => {
        seen.push({ key, at: clock.now() - 1_000 });
        await gate.hold;
        const outcome = script.shift() ?? { kind: 'done' };
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      observe: (kind) => void observed.push(kind),
      fieldsOf: (key) => ({ uid: key }),
      logger: createLogger('info', { write: (line) => void log.push(line) }),
    },
    end.signal,
  );
  onTestFinished(async () => {
    end.abort();
    await running;
  });
  return { clock, queue, seen, observed, log, gate, end, running };
}

describe('an outcome leads to', () => {
  it('nothing more, for done', async () => {
    const { queue, clock, seen } = fixture([{ kind: 'done' }]);
    queue.add('a');
    await clock.advance(1_000_000);
    expect(seen).toEqual([{ key: 'a', at: 0 }]);
  });

  it('another look after the time named, for later', async () => {
    const { queue, clock, seen } = fixture([{ kind: 'later', afterMs: 60_000 }]);
    queue.add('a');
    await clock.advance(1_000_000);
    expect(seen.map(({ at }) => at)).toEqual([0, 60_000]);
  });

  it('ever longer waits, for retry, until it is done', async () => {
    const retry = { kind: 'retry', reason: 'test' } as const;
    const { queue, clock, seen, log } = fixture([retry, retry, retry]);
    queue.add('a');
    await clock.advance(1_000_000);
    expect(seen.map(({ at }) => at)).toEqual([0, 500, 1_500, 3_500]);
    expect(log).toHaveLength(3);
  });

  it('a word in the log and no repetition, for terminal', async () => {
    const { queue, clock, seen, log } = fixture([{ kind: 'terminal', reason: 'test' }]);
    queue.add('a');
    await clock.advance(1_000_000);
    expect(seen).toHaveLength(1);
    expect(log.join('')).toContain('"level":"error"');
  });

  it('another look at the time named, for terminal with one', async () => {
    const { queue, clock, seen } = fixture([{ kind: 'terminal', reason: 'test', afterMs: 60_000 }]);
    queue.add('a');
    await clock.advance(1_000_000);
    expect(seen.map(({ at }) => at)).toEqual([0, 60_000]);
  });

  it('a fresh series of retries after a success', async () => {
    const retry = { kind: 'retry', reason: 'test' } as const;
    const { queue, clock, seen } = fixture([retry, retry, { kind: 'done' }, retry]);
    queue.add('a');
    await clock.advance(10_000);
    queue.add('a');
    await clock.advance(600);
    expect(seen.map(({ at }) => at)).toEqual([0, 500, 1_500, 10_000, 10_500]);
  });
});

describe('the controller', () => {
  it('survives a reconcile that throws, and does not quote it', async () => {
    const { queue, clock, seen, observed, log } = fixture([new Error('sensitive-text')]);
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    expect(seen.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(observed).toEqual(['terminal', 'done']);
    expect(log.join('')).not.toContain('sensitive-text');
  });

  it('works on several keys at once, but never twice on one', async () => {
    const { queue, seen, gate } = fixture([], 2);
    let open: () => void = () => undefined;
    gate.hold = new Promise((resolve) => {
      open = resolve;
    });
    queue.add('a');
    queue.add('b');
    await settled();
    queue.add('a');
    await settled();
    expect(seen.map(({ key }) => key)).toEqual(['a', 'b']);
    open();
    await settled();
    expect(seen.map(({ key }) => key)).toEqual(['a', 'b', 'a']);
  });

  it('ends after the work under way, not in the middle of it', async () => {
    const { queue, gate, end, running, observed } = fixture([]);
    let open: () => void = () => undefined;
    gate.hold = new Promise((resolve) => {
      open = resolve;
    });
    queue.add('a');
    queue.add('b');
    await settled();
    end.abort();
    await settled();
    expect(observed).toEqual([]);
    open();
    await running;
    expect(observed).toEqual(['done']);
  });
});
