import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { admin } from '../access/users.ts';
import { deadline, REF, seedLive } from '../history/live-secret.ts';
import { createFixture } from './fixture.ts';

const namespace = inScope(REF.namespace);
const REPLACED = { method: 'secrets.replace', name: 'db' } as const;
const ARCHIVE = { keepHistory: true, archive: true };
const ALL = { limit: undefined, token: undefined };

describe('the record of a deletion that has failed', () => {
  const failed = async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    fixture.cluster.fail({ method: 'secrets.delete', name: 'db' }, 'unavailable');
    await fixture.remove(ARCHIVE, admin()).catch(() => undefined);
    const records = () =>
      fixture.cluster.all().filter(({ managed }) => managed.snapshot?.deletion !== undefined);
    expect(records()).toHaveLength(1);
    return { ...fixture, records };
  };

  it('is void after a deletion without archive', async () => {
    const { remove, records, archived } = await failed();
    await remove({ keepHistory: true });
    expect(records()).toEqual([]);
    expect(archived()).toEqual([3]);
  });

  it('does not hinder a deletion without archive: it is listed as uncertain', async () => {
    const { cluster, service, remove } = await failed();
    cluster.fail({ method: 'secrets.patchMetadata' }, 'unavailable');
    expect(await remove({ keepHistory: true })).toMatchObject({ status: 'deleted' });
    const { deleted } = await service.deleted.list(admin(), namespace, ALL, deadline);
    expect(deleted).toMatchObject([{ uncertain: true }]);
  });

  it('is void before an update replaces the state, and gone once it is confirmed', async () => {
    const { cluster, update, records } = await failed();
    const during: number[] = [];
    cluster.on(REPLACED, () => {
      during.push(records().length);
    });
    await update({ description: 'new' });
    expect(during).toEqual([0]);
    expect(records()).toEqual([]);
  });

  it('stays where the update is refused because the deletion happens after all: it is listed as uncertain', async () => {
    const { cluster, service, update } = await failed();
    cluster.on(REPLACED, () => {
      cluster.remove(REF);
    });
    expect(await codeOf(update({ description: 'new' }))).toBe('conflict');
    const { deleted } = await service.deleted.list(admin(), namespace, ALL, deadline);
    expect(deleted).toMatchObject([{ name: REF.name, uncertain: true }]);
  });

  it('stays where the update is refused because the deletion waits for finalizers, and can be repeated', async () => {
    const { cluster, update, remove, live } = await failed();
    cluster.on(REPLACED, () => {
      cluster.touch(live(), { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    });
    expect(await codeOf(update({ description: 'new' }))).toBe('conflict');
    expect(await update({ description: 'new' })).toMatchObject({ summary: { version: 4 } });
    expect(await remove(ARCHIVE, admin())).toMatchObject({ status: 'pending' });
  });

  it('is void after an update that another one has overtaken, once that is confirmed', async () => {
    const { cluster, update, records } = await failed();
    let first: unknown;
    cluster.on(REPLACED, async () => {
      first = await update({ description: 'first' });
    });
    expect(await codeOf(update({ description: 'second' }))).toBe('conflict');
    expect(first).toMatchObject({ summary: { description: 'first' } });
    expect(records()).toEqual([]);
  });

  it('is replaced by that of the deletion that was accepted', async () => {
    const { remove, records } = await failed();
    await remove(ARCHIVE, admin({ email: 'second@example.com' }));
    expect(records()[0]?.managed.snapshot?.deletion).toMatchObject({
      by: 'second@example.com',
      accepted: true,
    });
  });
});
