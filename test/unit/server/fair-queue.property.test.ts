import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queueOf, requestOf, settled } from './fair-queue-fixture.ts';

/** What a model of the queue sees happen, one step after the other. */
type Step =
  | { readonly do: 'enter'; readonly flow: string }
  | { readonly do: 'leave' | 'finish' | 'spend' | 'go'; readonly pick: number };

const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('enter' as const), flow: fc.constantFrom('a', 'b', 'c') }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('leave' as const, 'finish' as const, 'spend' as const, 'go' as const),
        pick: fc.nat(),
      }),
    },
  ),
  { maxLength: 150, size: 'max' },
);

type Queue = ReturnType<typeof queueOf>['queue'];

interface Modelled extends ReturnType<typeof requestOf> {
  readonly flow: string;
  state: 'queued' | 'working' | 'finished' | 'over';
}

/** Wide enough for one flow to have several requests waiting while another waits with one. */
const LARGER = { seats: 2, admitted: 5, admittedPerFlow: 3, queued: 12, queuedPerFlow: 5 };

describe('whatever is sent, left, finished and given up', () => {
  it('every bound holds, no seat stays free while someone may have it, each flow gets its turn, and nothing is left over', async () => {
    await fc.assert(fc.asyncProperty(STEPS, everythingHolds), { numRuns: 300 });
  });
});

/** The requests as the model has them. */
interface Model {
  readonly queue: Queue;
  readonly requests: Modelled[];
  /** For each flow that waits, the starts of others since it has waited and could have begun. */
  readonly passedOver: Map<string, string[]>;
  /** Who was served again before another flow. */
  readonly outOfTurn: string[];
}

async function everythingHolds(steps: readonly Step[]): Promise<void> {
  const { queue } = queueOf(LARGER);
  const model: Model = { queue, requests: [], passedOver: new Map(), outOfTurn: [] };
  for (const step of steps) {
    if (step.do === 'enter') enter(model, step.flow);
    else act(model, step);
    await settled();
    expectFigures(model);
    expectBounds(model);
  }
  for (const request of model.requests) {
    request.close();
    request.finish();
  }
  await settled();
  expect(queue.figures()).toEqual({ working: 0, waitingForClient: 0, queued: 0 });
}

function enter(model: Model, flow: string): void {
  const request: Modelled = { ...requestOf(flow), flow, state: 'queued' };
  model.requests.push(request);
  request.enter(model.queue).then(
    () => {
      started(model, request);
    },
    () => {
      request.state = 'over';
    },
  );
}

function started({ passedOver, outOfTurn }: Model, request: Modelled): void {
  request.state = 'working';
  passedOver.delete(request.flow);
  for (const [flow, others] of passedOver) {
    others.push(request.flow);
    const ofOne = others.filter((other) => other === request.flow).length;
    if (ofOne > 1) outOfTurn.push(`${request.flow} before ${flow}`);
  }
}

/** How many are in a state, of all or of one flow. */
function count({ requests }: Model, state: Modelled['state'], flow?: string): number {
  return requests.filter((one) => one.state === state && (flow ?? one.flow) === one.flow).length;
}

function admitted(model: Model, flow?: string): number {
  return count(model, 'working', flow) + count(model, 'finished', flow);
}

function expectFigures(model: Model): void {
  expect(model.queue.figures()).toEqual({
    working: count(model, 'working'),
    waitingForClient: count(model, 'finished'),
    queued: count(model, 'queued'),
  });
}

function expectBounds(model: Model): void {
  const { passedOver, outOfTurn } = model;
  expect(outOfTurn).toEqual([]);
  expect(count(model, 'working')).toBeLessThanOrEqual(LARGER.seats);
  expect(admitted(model)).toBeLessThanOrEqual(LARGER.admitted);
  for (const flow of ['a', 'b', 'c']) {
    expect(admitted(model, flow)).toBeLessThanOrEqual(LARGER.admittedPerFlow);
    expect(count(model, 'queued', flow)).toBeLessThanOrEqual(LARGER.queuedPerFlow);
    const mayBegin =
      count(model, 'queued', flow) > 0 &&
      admitted(model, flow) < LARGER.admittedPerFlow &&
      admitted(model) < LARGER.admitted;
    if (mayBegin) expect(count(model, 'working')).toBe(LARGER.seats);
    else passedOver.delete(flow);
    if (mayBegin && !passedOver.has(flow)) passedOver.set(flow, []);
  }
}

function act(model: Model, step: Exclude<Step, { do: 'enter' }>): void {
  const states: Record<typeof step.do, readonly Modelled['state'][]> = {
    leave: ['working', 'finished'],
    finish: ['working'],
    spend: ['queued'],
    go: ['queued'],
  };
  const fitting = model.requests.filter(({ state }) => states[step.do].includes(state));
  const request = fitting[step.pick % fitting.length];
  if (request === undefined) return;
  if (step.do === 'leave') {
    request.state = 'over';
    request.close();
    request.finish();
  } else if (step.do === 'finish') {
    request.state = 'finished';
    request.finish();
  } else if (step.do === 'spend') request.spend();
  else request.close();
}
