import { expect, it } from 'vitest';
import { objectionsToMemory, objectionToCost, objectionToTurn } from './usage-judge.ts';

const MIB = 1024 ** 2;
const USAGE = {
  longestTurnMs: 10,
  cpuMs: 20,
  rssBytes: 200 * MIB,
  heldBytes: 80 * MIB,
  peakRssBytes: 300 * MIB,
};

it('a service that does its work in small turns and keeps nothing is fine', () => {
  expect(objectionToTurn(USAGE)).toBeUndefined();
  expect(objectionToCost(USAGE)).toBeUndefined();
  expect(objectionsToMemory(USAGE, { ...USAGE, heldBytes: 100 * MIB })).toEqual([]);
});

it('a long turn, a dear request, a leak and a peak over the limit are objected to', () => {
  expect(objectionToTurn({ ...USAGE, longestTurnMs: 201 })).toBe('a turn of the event loop took 201 ms');
  expect(objectionToCost({ ...USAGE, cpuMs: 2_001 })).toBe('a request took 2001 ms of processor time');
  expect(objectionsToMemory(USAGE, { ...USAGE, heldBytes: 145 * MIB, peakRssBytes: 1_025 * MIB })).toEqual([
    'memory grew by 65 MiB',
    'memory reached 1025 MiB',
  ]);
});

it('a turn on a slow machine may take as many times longer, and is only then compared with the machine', () => {
  const never = (): number => {
    throw new Error('measured without need');
  };
  expect(objectionToTurn(USAGE, never)).toBeUndefined();
  expect(objectionToTurn({ ...USAGE, longestTurnMs: 399 }, () => 2)).toBeUndefined();
  expect(objectionToTurn({ ...USAGE, longestTurnMs: 401 }, () => 2)).toBe(
    'a turn of the event loop took 401 ms',
  );
});
