import { afterEach, describe, expect, it, vi } from 'vitest';
import { BodyBudget } from '../../../src/server/body-budget.ts';
import type { ServiceError } from '../../../src/errors/service-error.ts';

function budgetOf(bytes: number) {
  const refusals: string[] = [];
  const clock = { ms: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.ms);
  const budget = new BodyBudget(bytes, (bound) => void refusals.push(bound));
  /** With the errors that ended it. */
  const open = (person: string) => {
    const ended: ServiceError[] = [];
    return { ...budget.open(person, (error) => void ended.push(error)), ended };
  };
  return { open, heldBytes: budget.heldBytes, refusals, clock };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the budget for request bodies', () => {
  it('is held by what arrives until it is released', () => {
    const { open, heldBytes } = budgetOf(400);
    const [one, other] = [open('a'), open('b')];
    expect(one.reserve(60)).toBeUndefined();
    expect(one.reserve(40)).toBeUndefined();
    expect(other.reserve(1)).toBeUndefined();
    expect(heldBytes()).toBe(101);
    one.release();
    expect(heldBytes()).toBe(1);
    one.release();
    expect(heldBytes()).toBe(1);
    other.release();
    expect(heldBytes()).toBe(0);
  });

  it('gives a person a quarter, over all of their requests', () => {
    const { open, heldBytes, refusals } = budgetOf(400);
    const [one, other] = [open('a'), open('a')];
    expect(one.reserve(60)).toBeUndefined();
    expect(other.reserve(40)).toBeUndefined();
    expect(other.reserve(1)).toMatchObject({
      code: 'bodyBudgetExceeded',
      reason: 'bodyBytesPerson',
      retryAfterSeconds: 5,
    });
    expect(refusals).toEqual(['body_bytes_person']);
    expect(heldBytes(), 'what was refused is not held').toBe(100);
    one.release();
    expect(other.reserve(60)).toBeUndefined();
    expect(open('b').reserve(100), 'another person has their own quarter').toBeUndefined();
  });

  it('is for all people together', () => {
    const { open, refusals } = budgetOf(400);
    const held = ['a', 'b', 'c', 'd'].map((person) => {
      const reservation = open(person);
      expect(reservation.reserve(100)).toBeUndefined();
      return reservation;
    });
    expect(open('e').reserve(1)).toMatchObject({
      code: 'bodyBudgetExceeded',
      reason: 'bodyBytesTotal',
      retryAfterSeconds: 5,
    });
    expect(refusals).toEqual(['body_bytes_total']);
    held[0]?.release();
    expect(open('e').reserve(100)).toBeUndefined();
  });

  it('takes 72 bodies of a person at once, however small, and another one once one is released', () => {
    const { open, refusals } = budgetOf(4_000);
    const [first] = Array.from({ length: 72 }, () => open('a'));
    expect(() => open('a')).toThrow(expect.objectContaining({ code: 'rateLimited', retryAfterSeconds: 5 }));
    expect(refusals).toEqual(['requests_person']);
    expect(() => open('b')).not.toThrow();
    first?.release();
    expect(() => open('a')).not.toThrow();
  });
});

describe('a body that arrives too slowly', () => {
  /** Four people hold everything, each in one body. */
  function fullBudget() {
    const budget = budgetOf(4_000);
    const held = ['a', 'b', 'c', 'd'].map((person) => {
      const body = budget.open(person);
      expect(body.reserve(1_000)).toBeUndefined();
      return body;
    });
    return { ...budget, held };
  }

  it('ends when another person needs its bytes: the largest of those that have paused for two seconds', () => {
    const { open, held, clock, refusals, heldBytes } = fullBudget();
    held[0]?.release();
    const small = open('a');
    expect(small.reserve(900)).toBeUndefined();
    clock.ms = 2_000;
    expect(open('e').reserve(200)).toBeUndefined();
    expect(held.map(({ ended }) => ended.length)).toEqual([0, 1, 0, 0]);
    expect(held[1]?.ended[0]).toMatchObject({
      code: 'bodyBudgetExceeded',
      reason: 'bodyTooSlow',
      retryAfterSeconds: 5,
    });
    expect(small.ended).toEqual([]);
    expect(refusals).toEqual(['body_slow']);
    expect(heldBytes()).toBe(3_100);
  });

  it('goes on while no one needs its bytes', () => {
    const { open, clock } = budgetOf(4_000);
    const body = open('a');
    body.reserve(10);
    clock.ms = 50_000;
    expect(open('b').reserve(900)).toBeUndefined();
    expect(body.reserve(10)).toBeUndefined();
    expect(body.ended).toEqual([]);
  });

  it('is not one that has paused for less, and the other one is refused', () => {
    const { open, held, clock } = fullBudget();
    clock.ms = 1_999;
    expect(open('e').reserve(1)).toMatchObject({ reason: 'bodyBytesTotal' });
    expect(held.flatMap(({ ended }) => ended)).toEqual([]);
  });

  it('is not one that has arrived, however long its work takes', () => {
    const { open, held, clock } = fullBudget();
    for (const body of held) body.complete();
    clock.ms = 50_000;
    expect(open('e').reserve(1)).toMatchObject({ reason: 'bodyBytesTotal' });
  });

  it.each([
    [13, false],
    [5, true],
  ])('gains less than an eighth of what it holds in a second: not %i%%', (percent, isSlow) => {
    const { open, clock } = budgetOf(16_000);
    const body = open('a');
    let held = 1_000;
    body.reserve(held);
    for (let second = 1; second <= 6; second++) {
      clock.ms = second * 1_000;
      const bytes = (held * percent) / 100;
      expect(body.reserve(bytes)).toBeUndefined();
      held += bytes;
    }
    clock.ms += 500;
    for (const person of ['b', 'c', 'd', 'e']) open(person).reserve(4_000);
    expect(body.ended).toHaveLength(isSlow ? 1 : 0);
  });

  it('ends for another body of the same person', () => {
    const { open, clock } = budgetOf(4_000);
    const [stalled, next] = [open('a'), open('a')];
    stalled.reserve(1_000);
    clock.ms = 2_000;
    expect(next.reserve(500)).toBeUndefined();
    expect(stalled.ended).toHaveLength(1);
    clock.ms = 9_000;
    expect(next.reserve(501), 'the slow one itself needs more').toMatchObject({ reason: 'bodyBytesPerson' });
    expect(next.ended).toEqual([]);
  });
});
