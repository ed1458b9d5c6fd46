import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { seedLive } from '../history/live-secret.ts';
import { textData } from './fixture.ts';
import { text, withLive } from './live-fixture.ts';

describe('races of an update', () => {
  it('a stale revision and a write race look the same to the client', async () => {
    const { cluster, update, seeded } = withLive();
    const stale = update({ resourceVersion: 'other' });
    await expect(stale).rejects.toMatchObject({ code: 'staleRevision' });
    cluster.on({ method: 'secrets.replace' }, () => void cluster.touch(seeded));
    const raced = update({ description: 'x' });
    await expect(raced).rejects.toMatchObject({ code: 'conflict', reason: 'writeRace' });
    const messages = await Promise.all(
      [stale, raced].map((work) => work.catch((error: unknown) => String(error))),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it('a Secret that was recreated meanwhile is not overwritten', async () => {
    const { cluster, seeded, update, live } = withLive();
    cluster.on({ method: 'secrets.replace' }, () => {
      cluster.remove(seeded);
      seedLive(cluster, { data: { other: 'x' } });
    });
    expect(await codeOf(update({ description: 'x' }))).toBe('conflict');
    expect(text(live().data)).toEqual({ other: 'x' });
  });

  it('a Secret that went meanwhile is not created again', async () => {
    const { cluster, seeded, update } = withLive();
    cluster.on({ method: 'secrets.replace' }, () => {
      cluster.remove(seeded);
    });
    expect(await codeOf(update({ description: 'x' }))).toBe('conflict');
    expect(cluster.peek(seeded)).toBeUndefined();
  });

  it('a cluster that no longer finds what is to be replaced is a race, too', async () => {
    const { cluster, update } = withLive();
    cluster.fail({ method: 'secrets.replace' }, 'notFound');
    await expect(update({ description: 'x' })).rejects.toMatchObject({
      code: 'conflict',
      reason: 'disappearedBeforeWrite',
    });
  });

  it('of two writers of one revision one wins, and one snapshot is stored', async () => {
    const { update, archived, live } = withLive();
    const outcomes = await Promise.allSettled([
      update({ data: textData({ a: 'one' }) }),
      update({ data: textData({ a: 'two' }) }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(archived()).toEqual([3]);
    expect(live().annotations.get('service.io/version')).toBe('4');
  });

  it('a writer who was overtaken twice gets the answer to reload, and needs no admin', async () => {
    const { cluster, update, live } = withLive();
    cluster.on({ method: 'policies.read' }, async () => {
      await update({ description: 'first' });
      cluster.fail({ method: 'secrets.replace' }, 'unavailable');
      expect(await codeOf(update({ description: 'second' }))).toBe('unavailable');
    });
    const overtaken = update({ description: 'late' });
    await expect(overtaken).rejects.toMatchObject({
      code: 'conflict',
      message: 'This Secret was changed meanwhile; reload it and try again',
    });
    expect(live().annotations.get('service.io/description')).toBe('first');
  });

  it('many writers that reload and retry lose no update', async () => {
    const { update, archived, live } = withLive({ annotations: {}, data: {} }, { historyLimit: 100 });
    const write = async (key: string): Promise<void> => {
      const data = new Map(Object.entries(text(live().data)));
      const { resourceVersion } = live();
      try {
        await update({ resourceVersion, data: new Map([...data, [key, '']]) });
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/staleRevision|conflict/) as string });
        await write(key);
      }
    };
    const keys = Array.from({ length: 20 }, (_item, index) => `k${String(index).padStart(2, '0')}`);
    await Promise.all(keys.map(write));
    expect([...live().data.keys()].sort()).toEqual(keys);
    expect(live().annotations.get('service.io/version')).toBe('21');
    expect(archived()).toEqual(Array.from({ length: 20 }, (_item, index) => index + 1));
  });
});
