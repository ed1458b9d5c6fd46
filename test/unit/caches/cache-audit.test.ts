import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { auditCache, compare, type CacheAuditOptions } from '../../../src/caches/cache-audit.ts';
import { PlainTable } from '../../../src/informers/object-store.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { createScriptedSource, page, thing, type Thing } from '../informers/scripted-source.ts';

function fixture(cached: readonly Thing[]) {
  const clock = createVirtualClock();
  const metadata = createScriptedSource(clock.now);
  const objects = new PlainTable<Thing>();
  for (const item of cached) objects.set(item, item);
  const status = { synced: true, revision: '1', silenceMs: 0, isForbidden: false };
  const results: string[] = [];
  const log: string[] = [];
  let relists = 0;
  const options: CacheAuditOptions = {
    reflector: {
      objects,
      status: () => status,
      listAgain: () => {
        relists++;
      },
    },
    metadata,
    metrics: {
      inc: (_name, ...labels) => {
        for (const { result } of labels as readonly { readonly result: string }[]) results.push(result);
      },
    },
    logger: createLogger('info', { write: (line) => log.push(line) }),
    clock,
    random: () => 0.5,
  };
  const compared = async () => {
    const pending = compare(options, new AbortController().signal);
    await clock.advance(5_000);
    return pending;
  };
  return { clock, metadata, objects, status, results, log, options, compared, relists: () => relists };
}

const A = thing('a', 5);
const B = thing('b', 7);

describe('a comparison of the cache with the cluster', () => {
  it('finds the same', async () => {
    const { metadata, compared } = fixture([A, B]);
    metadata.pages = [page(9, [A, B])];
    expect(await compared()).toEqual({ outcome: 'same', differences: 0 });
    expect(metadata.lists).toHaveLength(1);
  });

  it.each([
    ['an object that was missed', [A], [A, B]],
    ['an object that is gone', [A, B], [A]],
    ['an older state', [A, thing('b', 6)], [A, B]],
    ['another object under the same name', [A, thing('b', 6, { uid: 'old' })], [A, B]],
    ['a state that the list would have', [A, thing('b', 8)], [A, B]],
    ['another object that the list would have', [A, thing('b', 9, { uid: 'new' })], [A, B]],
  ])('finds %s when it lasts', async (_what, cached, live) => {
    const { metadata, compared } = fixture(cached);
    metadata.pages = [page(9, live)];
    expect(await compared()).toEqual({ outcome: 'different', differences: 1 });
    expect(metadata.lists).toHaveLength(2);
  });

  it('does not mind a cache that is ahead of the list', async () => {
    const { metadata, compared } = fixture([A, thing('b', 8)]);
    metadata.pages = [page(7, [A, B])];
    expect(await compared()).toEqual({ outcome: 'same', differences: 0 });
  });

  it('does not mind what has settled after five seconds', async () => {
    const { metadata, objects, compared } = fixture([A]);
    metadata.pages = [page(9, [A, B])];
    const pending = compared();
    objects.set(B, B);
    expect(await pending).toEqual({ outcome: 'same', differences: 0 });
  });

  it('does not take one difference after the other for one that lasts', async () => {
    const { metadata, compared } = fixture([A, thing('b', 6)]);
    metadata.pages = [page(9, [A, B]), page(11, [A, thing('b', 10)])];
    expect(await compared()).toEqual({ outcome: 'same', differences: 0 });
  });

  it('fails with the list, and is no difference then', async () => {
    const { metadata, compared } = fixture([A]);
    metadata.pages = [new ServiceError('unavailable', 'not now')];
    expect(await compared()).toEqual({ outcome: 'failed', differences: 0 });
  });
});

describe('the check of the cache', () => {
  it('goes on at intervals, counts, logs without names, and has everything listed again after a difference', async () => {
    const { clock, metadata, options, results, log, relists } = fixture([A]);
    const stop = new AbortController();
    const running = auditCache(options, stop.signal);
    metadata.pages = [page(9, [A])];
    await clock.advance(600_000);
    expect(results).toEqual(['same']);
    metadata.pages = [page(9, [A, B])];
    await clock.advance(605_000);
    expect(results).toEqual(['same', 'different']);
    expect(relists()).toBe(1);
    expect(log).toHaveLength(1);
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ level: 'info', count: 1 });
    expect(log[0]).not.toMatch(/"(name|namespace)"/);
    stop.abort();
    await running;
  });

  it('leaves a cache alone that is not synced', async () => {
    const { clock, metadata, options, status, results } = fixture([]);
    status.synced = false;
    const stop = new AbortController();
    const running = auditCache(options, stop.signal);
    await clock.advance(2_000_000);
    stop.abort();
    await running;
    expect([results, metadata.lists]).toEqual([[], []]);
  });
});
