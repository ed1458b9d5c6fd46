import { expect, it } from 'vitest';
import { cacheLimits, createOverBudget, type ListedReflectors } from '../../../src/app/secrets-watch.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';

it('a namespace over the budget is logged once, and listed again within a minute once it fits', async () => {
  const clock = createVirtualClock();
  const lines: unknown[] = [];
  const calls: string[] = [];
  const live = { fits: false, isOver: true };
  const reflector = {
    status: () => ({ revision: '1' }),
    objects: { live: { fitsAgain: () => live.fits, namespaces: new Map([['large', live]]) } },
    listAgain: (reason: string) => calls.push(reason),
  };
  const reflectors = () => ({ of: () => reflector }) as unknown as ListedReflectors;
  const log = (event: string, fields: object) => lines.push({ event, ...fields });
  const over = createOverBudget(reflectors, { info: log, warn: log } as never, clock);
  const stop = new AbortController();
  const running = over.run(stop.signal);
  over.add('large');
  over.add('large');
  await clock.advance(60_000);
  expect(calls).toEqual([]);
  live.fits = true;
  await clock.advance(60_000);
  expect(calls).toEqual(['budget']);
  [live.fits, live.isOver] = [false, false];
  await clock.advance(120_000);
  expect(calls).toEqual(['budget']);
  expect(lines).toEqual([
    { event: 'namespace over the cache budget', namespace: 'large' },
    { event: 'namespace within the cache budget', namespace: 'large' },
  ]);
  over.add('large');
  expect(lines).toHaveLength(3);
  stop.abort();
  await clock.advance(60_000);
  await running;
});

it('all namespaces together may take half of the heap, and one of them 64 MiB', () => {
  expect(cacheLimits(1_000)).toEqual({ namespaceBytes: 64 * 1024 * 1024, totalBytes: 500 });
  expect(cacheLimits().totalBytes).toBeGreaterThan(64 * 1024 * 1024);
});
