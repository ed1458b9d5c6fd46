import { describe, expect, it } from 'vitest';
import { createHistoryIndex } from '../../../src/caches/history-index.ts';
import { createSecretTable, metadataRecordOf } from '../../../src/caches/secret-table.ts';
import type { ReflectorStatus } from '../../../src/informers/reflector.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { snapshotObject, UID } from '../history/reconciler/history-objects.ts';

const deadline = unhurriedCall();
const LIVE = snapshotObject(1, { name: 'db', uid: UID, labels: new Map(), annotations: new Map() });

function fixture() {
  const clock = createVirtualClock();
  const objects = createSecretTable();
  for (const object of [LIVE, snapshotObject(1), snapshotObject(2)])
    objects.set(object, metadataRecordOf(object));
  const elsewhere = snapshotObject(3, { namespace: 'team-b' });
  objects.set(elsewhere, metadataRecordOf(elsewhere));
  const status: { -readonly [Key in keyof ReflectorStatus]: ReflectorStatus[Key] } = {
    ...{ synced: true, revision: '500', silenceMs: 0, isForbidden: false },
  };
  const index = createHistoryIndex(
    (namespace) => (namespace === 'outside' ? undefined : { objects, status: () => status }),
    clock,
  );
  const at = (resourceVersion: string, namespace = 'team-a') =>
    index.at({ namespace, resourceVersion }, deadline);
  const historyOf = async (resourceVersion: string, namespace?: string) =>
    (await at(resourceVersion, namespace))?.historyOf(UID);
  return { clock, status, at, historyOf };
}

describe('the index of the history', () => {
  it.each(['500', '499', '99'])('gives what it holds of the UID once it has reached %s', async (revision) => {
    const { historyOf } = fixture();
    const found = await historyOf(revision);
    expect(found?.map(({ name }) => name)).toEqual([snapshotObject(1).name, snapshotObject(2).name]);
  });

  it('waits a little for a watch that is only just behind', async () => {
    const { clock, status, historyOf } = fixture();
    const pending = historyOf('501');
    await clock.advance(100);
    status.revision = '501';
    await clock.advance(10);
    expect(await pending).toHaveLength(2);
  });

  it.each(['501', '1000'])('gives nothing when it does not reach %s in good time', async (revision) => {
    const { clock, historyOf } = fixture();
    const pending = historyOf(revision);
    await clock.advance(250);
    expect(await pending).toBeUndefined();
  });

  it.each<[what: string, change: Partial<ReflectorStatus>]>([
    ['before a whole list', { synced: false }],
    ['while everything is listed again', { revision: undefined }],
    ['without a right', { isForbidden: true }],
  ])('gives nothing %s, and does not wait for it', async (_what, change) => {
    const { status, historyOf } = fixture();
    Object.assign(status, change);
    expect(await historyOf('1')).toBeUndefined();
  });

  it('gives the UID of a name, of live Secrets and of history, in its namespace alone', async () => {
    const known = await fixture().at('500');
    expect(known?.uidOf('db')).toBe(UID);
    expect(known?.uidOf(snapshotObject(1).name)).toBe(snapshotObject(1).uid);
    expect(known?.uidOf(snapshotObject(3).name)).toBeUndefined();
    expect(known?.historyOf('another')).toEqual([]);
  });

  it('gives nothing outside of what is followed', async () => {
    expect(await fixture().historyOf('1', 'outside')).toBeUndefined();
  });

  it.each(['opaque', ''])('gives nothing for a revision that cannot be compared: %j', async (revision) => {
    const { clock, historyOf } = fixture();
    const pending = historyOf(revision);
    await clock.advance(250);
    expect(await pending).toBeUndefined();
  });
});
