import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../src/timing/event-loop-yielder.ts';

describe('turns', () => {
  it('let one piece of work run in each turn of the event loop, in the order in which they came', async () => {
    const turns = createTurns();
    let turn = 0;
    const ran: (readonly [string, number])[] = [];
    const work = async (name: string): Promise<void> => {
      await turns.next();
      ran.push([name, turn]);
    };
    const all = Promise.all(['first', 'second', 'third'].map(work));
    while (ran.length < 3) {
      await nextTurn();
      turn++;
    }
    await all;
    expect(ran.map(([name]) => name)).toEqual(['first', 'second', 'third']);
    expect(new Set(ran.map(([, when]) => when)).size).toBe(3);
  });

  it('let what comes while others wait take its turn after them', async () => {
    const scheduled: (() => void)[] = [];
    const turns = createTurns((run) => scheduled.push(run));
    const ran: string[] = [];
    const work = (name: string) => turns.next().then(() => ran.push(name));
    void work('first').then(() => work('again'));
    void work('second');
    for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'again']]) {
      expect(scheduled).toHaveLength(1);
      scheduled.shift()?.();
      await nextTurn();
      expect(ran).toEqual(expected);
    }
    expect(scheduled).toEqual([]);
  });
});
