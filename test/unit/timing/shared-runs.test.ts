import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Deadline } from '../../../src/timing/deadline.ts';
import { SharedRuns } from '../../../src/timing/shared-runs.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { settled } from '../../fakes/virtual-clock.ts';

interface Begun {
  readonly key: string;
  readonly deadline: Deadline;
  readonly end: (result: string) => void;
  readonly fail: (error: Error) => void;
}

let begun: Begun[];
let runs: SharedRuns<string, string>;

beforeEach(() => {
  begun = [];
  runs = new SharedRuns({
    keyOf: (key) => key,
    run: (key: string, deadline) =>
      new Promise((resolve, reject) => {
        begun.push({ key, deadline: deadline, end: resolve, fail: reject });
        deadline.signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      }),
    atOnce: 2,
    queue: { waiting: 3, refusal: { message: 'too many', reason: 'tooMany' } },
    deadlineExceeded: () => new Error('spent'),
  });
});

const join = (key = 'a', signal?: AbortSignal) => {
  const joined = runs.join(key, unhurriedCall(signal));
  joined.catch(() => undefined);
  return joined;
};
const keys = () => begun.map(({ key }) => key);

describe('shared runs', () => {
  it('give everyone who joined before a run began its result, and no one who joined after that', async () => {
    const first = join();
    const late = [join(), join(), join()];
    expect(keys()).toEqual(['a']);
    begun[0]?.end('old');
    expect(await first).toBe('old');
    await settled();
    expect(keys()).toEqual(['a', 'a']);
    const tooLate = join();
    begun[1]?.end('new');
    expect(await Promise.all(late)).toEqual(['new', 'new', 'new']);
    await settled();
    begun[2]?.end('newest');
    expect(await tooLate).toBe('newest');
  });

  it('are one at a time for each key and so many at once over all, in the order in which they were requested', async () => {
    const all = ['a', 'a', 'b', 'c', 'd'].map((key) => join(key));
    expect(keys()).toEqual(['a', 'b']);
    begun[0]?.end('1');
    await settled();
    expect(keys()).toEqual(['a', 'b', 'a']);
    begun[1]?.end('2');
    await settled();
    expect(keys()).toEqual(['a', 'b', 'a', 'c']);
    begun[2]?.end('3');
    begun[3]?.end('4');
    await settled();
    begun[4]?.end('5');
    expect(await Promise.all(all)).toEqual(['1', '3', '2', '4', '5']);
  });

  it('refuse whoever would begin one more than may wait, and still let others share those that wait', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) void join(key);
    await expect(join('f')).rejects.toThrow('too many');
    const shared = join('e');
    begun[0]?.end('');
    await settled();
    void join('f');
    expect(keys()).toEqual(['a', 'b', 'c']);
    for (const index of [1, 2]) begun[index]?.end('');
    await settled();
    begun[4]?.end('shared');
    expect(await shared).toBe('shared');
  });

  it('fail for those who share the run, and for no one else', async () => {
    const first = join();
    const second = join();
    begun[0]?.fail(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await settled();
    begun[1]?.end('up');
    expect(await second).toBe('up');
  });

  it('go on when one of their callers runs out of time', async () => {
    const hurried = new AbortController();
    const [leaves, stays] = [join('a', hurried.signal), join('b'), join('a')];
    const shared = [join('a'), join('a', hurried.signal)];
    hurried.abort();
    await expect(leaves).rejects.toThrow('spent');
    await expect(shared[1]).rejects.toThrow('spent');
    await settled();
    begun.at(-1)?.end('in time');
    expect(await shared[0]).toBe('in time');
    begun[1]?.end('b');
    expect(await stays).toBe('b');
  });

  it('are aborted when no one waits for them, or never begun', async () => {
    const stop = new AbortController();
    const waiting = [join('a', stop.signal), join('b'), join('c', stop.signal)];
    stop.abort();
    await Promise.allSettled([waiting[0], waiting[2]]);
    expect(begun[0]?.deadline.signal.aborted).toBe(true);
    await settled();
    expect(keys()).toEqual(['a', 'b']);
    expect(begun[1]?.deadline.signal.aborted).toBe(false);
  });

  it('begin afresh after one that was aborted', async () => {
    const stop = new AbortController();
    const left = join('a', stop.signal);
    stop.abort();
    const next = join('a');
    await expect(left).rejects.toThrow('spent');
    await settled();
    begun[1]?.end('fresh');
    expect(await next).toBe('fresh');
  });

  it('begin nothing for a caller whose time is over already', async () => {
    await expect(join('a', AbortSignal.abort())).rejects.toThrow('spent');
    expect(begun).toEqual([]);
  });
});

const STEP = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('join' as const), key: fc.constantFrom('a', 'b', 'c', 'd') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'fail' as const), at: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), at: fc.nat(9) }) },
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

it('whatever happens: no one gets what began before they joined, bounds hold, and nothing is left behind', async () => {
  await fc.assert(fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), everythingHolds), { numRuns: 500 });
});

interface ActiveRun {
  readonly key: string;
  readonly end: () => void;
  readonly fail: () => void;
}

/** The runs that are active, and a time that passes with everything that begins. */
class Model {
  time = 0;
  readonly active = new Set<ActiveRun>();
  readonly shared = new SharedRuns<string, { begun: number }>({
    keyOf: (key) => key,
    run: (key, deadline) => this.#run(key, deadline),
    atOnce: 2,
    queue: { waiting: 2, refusal: { message: 'too many', reason: 'tooMany' } },
    deadlineExceeded: () => new Error('spent'),
  });

  #run(key: string, deadline: Deadline): Promise<{ begun: number }> {
    return new Promise((resolve, reject) => {
      const since = ++this.time;
      const self: ActiveRun = {
        key,
        end: () => {
          this.active.delete(self);
          resolve({ begun: since });
        },
        fail: () => {
          this.active.delete(self);
          reject(new Error('failed'));
        },
      };
      expect([...this.active].some((one) => one.key === key)).toBe(false);
      this.active.add(self);
      expect(this.active.size).toBeLessThanOrEqual(2);
      deadline.signal.addEventListener('abort', () => {
        if (this.active.has(self)) self.fail();
      });
    });
  }

  /** A caller gets a run that began after it joined, or one of the errors. */
  async join(key: string, signal: AbortSignal): Promise<void> {
    const requested = ++this.time;
    await this.shared.join(key, unhurriedCall(signal)).then(
      (result) => {
        expect(result.begun).toBeGreaterThan(requested);
      },
      (error: unknown) => {
        expect(String(error)).toMatch(/failed|too many|spent/);
      },
    );
  }

  async endAll(): Promise<void> {
    for (let left = 50; this.active.size > 0 && left > 0; left--) {
      for (const run of [...this.active]) run.end();
      await settled();
    }
  }
}

async function everythingHolds(steps: readonly Step[]): Promise<void> {
  const model = new Model();
  const callers: AbortController[] = [];
  const outcomes: Promise<void>[] = [];
  for (const one of steps) {
    if (one.do === 'join') {
      const stop = new AbortController();
      callers.push(stop);
      outcomes.push(model.join(one.key, stop.signal));
    } else if (one.do === 'leave') callers[one.at]?.abort();
    else [...model.active][one.at]?.[one.do]();
    await settled();
  }
  await model.endAll();
  await Promise.all(outcomes);
  expect(model.active.size).toBe(0);
  const afresh = model.shared.join('a', unhurriedCall());
  [...model.active][0]?.end();
  await afresh;
}
