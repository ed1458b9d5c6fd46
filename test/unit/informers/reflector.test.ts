import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import type { Page } from '../../../src/kube/page.ts';
import { down, reflectorFixture } from './reflector-fixture.ts';
import { page, thing, type Thing } from './scripted-source.ts';

describe('silence', () => {
  it('gives up a watch whose last byte is older than 90 seconds, and resumes', async () => {
    const { source, clock, start, counted } = reflectorFixture();
    await start();
    await clock.advance(89_999);
    expect(source.watches).toHaveLength(1);
    await clock.advance(1);
    expect(source.watches[0]?.aborted).toBe(true);
    await clock.advance(500);
    expect(source.watches.map(({ revision }) => revision)).toEqual(['10', '10']);
    expect(counted).toEqual(['relist:start']);
  });

  it('counts from the last byte', async () => {
    const { source, clock, start } = reflectorFixture();
    await start();
    await clock.advance(60_000);
    source.lastWatch().touch();
    await clock.advance(89_999);
    expect(source.lastWatch().aborted).toBe(false);
    await clock.advance(1);
    expect(source.watches[0]?.aborted).toBe(true);
  });

  it('can be read: from the last byte of the watch, and on while there is none', async () => {
    const { source, clock, start, reflector } = reflectorFixture();
    await start();
    await clock.advance(30_000);
    expect(reflector.status().silenceMs).toBe(30_000);
    source.lastWatch().send({ kind: 'bookmark', resourceVersion: '11' });
    await clock.advance(2_000);
    expect(reflector.status().silenceMs).toBe(2_000);
    source.refusals = Array.from({ length: 20 }, () => down());
    source.lastWatch().fail(down());
    await clock.advance(20_000);
    expect(source.watches).toHaveLength(1);
    expect(reflector.status().silenceMs).toBe(20_000);
  });
});

describe('a watch that opens and brings nothing, as behind a proxy that holds bytes back', () => {
  it('does not end the silence', async () => {
    const { source, clock, start, reflector } = reflectorFixture();
    await start();
    source.lastWatch().send({ kind: 'bookmark', resourceVersion: '11' });
    await clock.advance(90_000 + 500 + 60_000);
    expect(source.watches).toHaveLength(2);
    expect(reflector.status().silenceMs).toBe(150_500);
    source.lastWatch().send({ kind: 'bookmark', resourceVersion: '12' });
    await settled();
    expect(reflector.status().silenceMs).toBe(0);
  });

  it('is one failure more, so that at last everything is listed again', async () => {
    const { source, clock, start, counted, reflector } = reflectorFixture();
    await start();
    await clock.advance(8 * 120_000);
    expect(counted).toEqual(['relist:start', 'relist:stalled']);
    expect(source.lists).toHaveLength(2);
    expect(reflector.status().silenceMs).toBeLessThan(8 * 30_000);
  });

  it('does not make a list older than it is', async () => {
    const { clock, start, source, reflector } = reflectorFixture();
    const rest = Promise.withResolvers<Page<Thing>>();
    source.pages = [page(10, [thing('a', 1)], 'rest'), rest.promise];
    await start();
    await clock.advance(20_000);
    rest.resolve(page(10, [thing('b', 2)]));
    await settled();
    expect(reflector.status()).toMatchObject({ synced: true, silenceMs: 20_000 });
  });
});

describe('rights', () => {
  const missing = () =>
    new ServiceError('rbacForbidden', 'no right', { reason: 'rbacForbidden:watch:things' });

  it('says once that one is missing, not with each attempt, and says when it was granted', async () => {
    const { source, clock, start, logLines, counted } = reflectorFixture();
    source.refusals = [missing(), missing(), missing()];
    await start();
    await clock.advance(60_000);
    expect(logLines.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ resource: 'things', reason: 'rbacForbidden:watch:things' }),
    ]);
    await clock.advance(30_000);
    expect(logLines.at(-1)).toMatchObject({ event: 'RBAC permission granted' });
    expect(counted).toEqual(['relist:start', 'forbidden:true', 'forbidden:false']);
  });

  it('tries again soon, as servers that start know of no rights yet', async () => {
    const { source, clock, start, reflector } = reflectorFixture();
    source.refusals = [missing()];
    await start();
    expect(reflector.status().isForbidden).toBe(true);
    await clock.advance(500);
    expect(reflector.status()).toMatchObject({ synced: true, isForbidden: false });
  });

  it('resumes where it was, however long the right to watch was missing', async () => {
    const { source, clock, start, counted } = reflectorFixture();
    source.refusals = Array.from({ length: 12 }, () => missing());
    await start();
    await clock.advance(5 * 60_000);
    expect(source.lastWatch().revision).toBe('10');
    expect(counted.filter((what) => what.startsWith('relist'))).toEqual(['relist:start']);
  });

  it('tries ever more rarely, in the end every half minute', async () => {
    const { source, clock, start } = reflectorFixture();
    source.pages = [missing()];
    await start();
    await clock.advance(31_500);
    expect(source.lists).toHaveLength(7);
    await clock.advance(90_000);
    expect(source.lists).toHaveLength(10);
  });
});

describe('the end', () => {
  it.each(['watching', 'backing off'])('comes by abort, while %s', async (doing) => {
    const { source, start, stop } = reflectorFixture();
    if (doing === 'backing off') source.pages = [down()];
    await start();
    if (doing === 'watching') expect(source.watches).toHaveLength(1);
    await stop();
    const { length } = source.lists;
    await settled();
    expect(source.lists).toHaveLength(length);
    expect(source.watches.every(({ aborted }) => aborted)).toBe(true);
  });

  it('is not a failure: the log says nothing', async () => {
    const { start, stop, logLines } = reflectorFixture();
    await start();
    await stop();
    expect(logLines).toEqual([]);
  });
});
