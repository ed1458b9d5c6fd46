import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FairQueueLimits, Seat } from '../../../../src/api/http/fair-queue.ts';
import { queueOf, settled } from './fair-queue-fixture.ts';

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
