import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  createFairQueue,
  type FairQueueLimits,
  type Refusal,
  type Seat,
} from '../../../../src/api/http/fair-queue.ts';

const LIMITS: FairQueueLimits = { seats: 2, admitted: 4, admittedPerFlow: 2, queued: 4, queuedPerFlow: 2 };
const NEVER = new AbortController().signal;
const PATIENT = { spent: NEVER, gone: NEVER };

function queueOf(limits: Partial<FairQueueLimits> = {}) {
  const onRefused = vi.fn<(by: Refusal) => void>();
  return { queue: createFairQueue({ ...LIMITS, ...limits }, onRefused), onRefused };
}

/** Enters and says under which label the requests began, in their order. */
function entering(queue: ReturnType<typeof createFairQueue>) {
  const begun: string[] = [];
  const seats = new Map<string, Seat>();
  const enter = (flow: string, label: string, patience = PATIENT): Promise<void> =>
    queue.enter(flow, patience).then((seat) => {
      begun.push(label);
      seats.set(label, seat);
    });
  const leave = async (label: string): Promise<void> => {
    seats.get(label)?.leave();
    await settled();
  };
  return { begun, seats, enter, leave };
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('the fair queue', () => {
  it('lets requests begin while there are seats, and the others wait', async () => {
    const { queue } = queueOf();
    const { begun, enter, leave } = entering(queue);
    for (const label of ['a1', 'b1', 'c1']) void enter(label[0] ?? '', label);
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    expect(queue.figures()).toEqual({ working: 2, waitingForClient: 0, queued: 1 });
    await leave('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
  });

  it('serves flows in turn, however many requests one of them has sent before', async () => {
    const { queue } = queueOf({ seats: 1, queued: 100, queuedPerFlow: 100 });
    const { begun, enter, leave } = entering(queue);
    for (let index = 1; index <= 5; index++) void enter('greedy', `greedy${index}`);
    void enter('modest', 'modest1');
    void enter('other', 'other1');
    await settled();
    for (const label of ['greedy1', 'greedy2', 'modest1', 'other1', 'greedy3']) {
      expect(begun.at(-1)).toBe(label);
      await leave(label);
    }
  });

  it('lets one flow have no more than its share, even while seats are free', async () => {
    const { queue } = queueOf({ seats: 4 });
    const { begun, enter } = entering(queue);
    for (const label of ['a1', 'a2', 'a3', 'b1']) void enter(label[0] ?? '', label);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('refuses what is over the queue of its flow with 429 and a time to come back', async () => {
    const { queue, onRefused } = queueOf();
    const { enter } = entering(queue);
    for (let index = 0; index < 4; index++) void enter('a', `a${index}`);
    await expect(enter('a', 'too many')).rejects.toMatchObject({ code: 'rateLimited', retryAfterSeconds: 1 });
    expect(onRefused.mock.calls).toEqual([['flow']]);
    expect(queue.figures().queued).toBe(2);
  });

  it('refuses what is over the whole queue with 503 and a time to come back', async () => {
    const { queue, onRefused } = queueOf();
    const { enter } = entering(queue);
    for (const label of ['a1', 'b1', 'c1', 'd1', 'e1', 'f1']) void enter(label[0] ?? '', label);
    await expect(enter('g', 'too many')).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect(onRefused.mock.calls).toEqual([['total']]);
  });

  it('refuses with 503 what has waited for as long as it has time', async () => {
    const { queue, onRefused } = queueOf({ seats: 1 });
    const { begun, enter, leave } = entering(queue);
    await enter('a', 'a1');
    const time = new AbortController();
    const late = enter('b', 'b1', { spent: time.signal, gone: NEVER });
    time.abort();
    await expect(late).rejects.toMatchObject({ code: 'overloaded', reason: 'queueTime' });
    expect(onRefused.mock.calls).toEqual([['time']]);
    await leave('a1');
    expect(begun).toEqual(['a1']);
    expect(queue.figures()).toEqual({ working: 0, waitingForClient: 0, queued: 0 });
  });

  it('forgets a request whose client goes away, and counts no refusal', async () => {
    const { queue, onRefused } = queueOf({ seats: 1 });
    const { enter } = entering(queue);
    await enter('a', 'a1');
    const client = new AbortController();
    const left = enter('b', 'b1', { spent: NEVER, gone: client.signal });
    client.abort();
    await expect(left).rejects.toThrow();
    expect(queue.figures().queued).toBe(0);
    expect(onRefused).not.toHaveBeenCalled();
  });

  it('does not begin for a client that was gone before', async () => {
    const { queue } = queueOf({ seats: 1 });
    const { enter } = entering(queue);
    await enter('a', 'a1');
    await expect(enter('b', 'b1', { spent: NEVER, gone: AbortSignal.abort() })).rejects.toThrow();
    expect(queue.figures().queued).toBe(0);
  });

  it('lets others work while a request waits for its client, but not more of the same flow', async () => {
    const { queue } = queueOf({ seats: 1, admittedPerFlow: 1 });
    const { begun, seats, enter } = entering(queue);
    for (const label of ['a1', 'a2', 'b1']) void enter(label[0] ?? '', label);
    await settled();
    seats.get('a1')?.pause();
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    expect(queue.figures()).toEqual({ working: 1, waitingForClient: 1, queued: 1 });
  });

  it('admits no more in total than it can hold, though no one is working', async () => {
    const { queue } = queueOf({ seats: 4, admitted: 2 });
    const { begun, seats, enter } = entering(queue);
    for (const label of ['a1', 'b1', 'c1']) void enter(label[0] ?? '', label);
    await settled();
    seats.get('a1')?.pause();
    seats.get('b1')?.pause();
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('lets a request that comes back from its client go on before its flow begins another', async () => {
    const { queue } = queueOf({ seats: 1 });
    const { begun, seats, enter, leave } = entering(queue);
    void enter('a', 'a1');
    void enter('b', 'b1');
    await settled();
    seats.get('a1')?.pause();
    await settled();
    void enter('a', 'a2');
    void seats
      .get('a1')
      ?.resume(PATIENT)
      .then(() => begun.push('a1 again'));
    await leave('b1');
    expect(begun).toEqual(['a1', 'b1', 'a1 again']);
  });

  it('gives no seat to a request that comes back too late', async () => {
    const { queue, onRefused } = queueOf({ seats: 1 });
    const time = new AbortController();
    const seat = await queue.enter('a', PATIENT);
    seat.pause();
    await queue.enter('b', PATIENT);
    const again = seat.resume({ spent: time.signal, gone: NEVER });
    time.abort();
    await expect(again).rejects.toMatchObject({ code: 'overloaded' });
    seat.leave();
    expect(onRefused.mock.calls).toEqual([['time']]);
    expect(queue.figures()).toEqual({ working: 1, waitingForClient: 0, queued: 0 });
  });

  it('counts one who leaves once', async () => {
    const { queue } = queueOf();
    const seat = await queue.enter('a', PATIENT);
    seat.leave();
    seat.leave();
    seat.pause();
    expect(queue.figures()).toEqual({ working: 0, waitingForClient: 0, queued: 0 });
  });
});

/** What a model of the queue sees happen, one step after the other. */
type Step =
  | { readonly do: 'enter'; readonly flow: string }
  | { readonly do: 'leave' | 'pause' | 'resume' | 'spend' | 'go'; readonly pick: number };

const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('enter' as const), flow: fc.constantFrom('a', 'b', 'c') }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'leave' as const,
          'pause' as const,
          'resume' as const,
          'spend' as const,
          'go' as const,
        ),
        pick: fc.nat(),
      }),
    },
  ),
  { maxLength: 150, size: 'max' },
);

interface Modelled {
  readonly flow: string;
  readonly time: AbortController;
  readonly client: AbortController;
  state: 'queued' | 'working' | 'paused' | 'returning' | 'over';
  seat?: Seat;
}

/** Wide enough for one flow to have several requests waiting while another waits with one. */
const LARGER: FairQueueLimits = { seats: 2, admitted: 5, admittedPerFlow: 3, queued: 12, queuedPerFlow: 5 };

describe('whatever is sent, left, paused and given up', () => {
  it('every bound holds, no seat stays free while someone may have it, each flow gets its turn, and nothing is left over', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const { queue } = queueOf(LARGER);
        const requests: Modelled[] = [];
        /** For each flow that waits, the starts of others since it has waited and could have begun. */
        const passedOver = new Map<string, string[]>();
        const hold = (): void => {
          const of = (state: Modelled['state'], flow?: string) =>
            requests.filter((one) => one.state === state && (flow ?? one.flow) === one.flow).length;
          const admitted = (flow?: string) =>
            of('working', flow) + of('paused', flow) + of('returning', flow);
          expect(queue.figures()).toEqual({
            working: of('working'),
            waitingForClient: of('paused') + of('returning'),
            queued: of('queued') + of('returning'),
          });
          expect(of('working')).toBeLessThanOrEqual(LARGER.seats);
          expect(admitted()).toBeLessThanOrEqual(LARGER.admitted);
          for (const flow of ['a', 'b', 'c']) {
            expect(admitted(flow)).toBeLessThanOrEqual(LARGER.admittedPerFlow);
            expect(of('queued', flow)).toBeLessThanOrEqual(LARGER.queuedPerFlow);
            const mayBegin =
              of('queued', flow) > 0 &&
              admitted(flow) < LARGER.admittedPerFlow &&
              admitted() < LARGER.admitted;
            const mayStart = mayBegin || of('returning', flow) > 0;
            if (mayStart) expect(of('working')).toBe(LARGER.seats);
            else passedOver.delete(flow);
            if (mayStart && !passedOver.has(flow)) passedOver.set(flow, []);
          }
        };
        const started = (request: Modelled): void => {
          request.state = 'working';
          passedOver.delete(request.flow);
          for (const [flow, others] of passedOver) {
            others.push(request.flow);
            const ofOne = others.filter((other) => other === request.flow).length;
            expect(ofOne, `${request.flow} was served again before ${flow}`).toBeLessThanOrEqual(1);
          }
        };
        for (const step of steps) {
          if (step.do === 'enter') {
            const request: Modelled = {
              flow: step.flow,
              time: new AbortController(),
              client: new AbortController(),
              state: 'queued',
            };
            requests.push(request);
            queue.enter(step.flow, { spent: request.time.signal, gone: request.client.signal }).then(
              (seat) => {
                request.seat = seat;
                started(request);
              },
              () => {
                request.state = 'over';
              },
            );
          } else act(step, requests, started);
          await settled();
          hold();
        }
        for (const request of requests) request.client.abort();
        await settled();
        for (const request of requests) request.seat?.leave();
        await settled();
        expect(queue.figures()).toEqual({ working: 0, waitingForClient: 0, queued: 0 });
      }),
      { numRuns: 300 },
    );
  });
});

function act(
  step: Exclude<Step, { do: 'enter' }>,
  requests: readonly Modelled[],
  started: (one: Modelled) => void,
): void {
  const states: Record<typeof step.do, readonly Modelled['state'][]> = {
    leave: ['working', 'paused'],
    pause: ['working'],
    resume: ['paused'],
    spend: ['queued', 'returning'],
    go: ['queued', 'returning'],
  };
  const fitting = requests.filter(({ state }) => states[step.do].includes(state));
  const request = fitting[step.pick % fitting.length];
  if (request === undefined) return;
  if (step.do === 'leave') {
    request.state = 'over';
    request.seat?.leave();
  } else if (step.do === 'pause') {
    request.state = 'paused';
    request.seat?.pause();
  } else if (step.do === 'resume') {
    request.state = 'returning';
    request.seat?.resume({ spent: request.time.signal, gone: request.client.signal }).then(
      () => {
        started(request);
      },
      () => {
        request.state = 'paused';
      },
    );
  } else if (step.do === 'spend') request.time.abort();
  else request.client.abort();
}
