import { describe, expect, it } from 'vitest';
import { createBodyBudget } from '../../../../src/api/http/body-budget.ts';

function budgetOf(bytes: number) {
  const refusals: string[] = [];
  return { ...createBodyBudget({ bytes, onRefused: (bound) => void refusals.push(bound) }), refusals };
}

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

  it('gives a session a quarter, over all of its requests', () => {
    const { open, heldBytes, refusals } = budgetOf(400);
    const [one, other] = [open('a'), open('a')];
    expect(one.reserve(60)).toBeUndefined();
    expect(other.reserve(40)).toBeUndefined();
    expect(other.reserve(1)).toMatchObject({
      code: 'bodyBudgetExceeded',
      reason: 'bodyBytesSession',
      retryAfterSeconds: 5,
    });
    expect(refusals).toEqual(['body_bytes_session']);
    expect(heldBytes(), 'what was refused is not held').toBe(100);
    one.release();
    expect(other.reserve(60)).toBeUndefined();
    expect(open('b').reserve(100), 'another session has its own quarter').toBeUndefined();
  });

  it('is for all sessions together', () => {
    const { open, refusals } = budgetOf(400);
    const held = ['a', 'b', 'c', 'd'].map((session) => {
      const reservation = open(session);
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
});
