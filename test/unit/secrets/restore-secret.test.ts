import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/service-error.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { admin } from '../access/users.ts';
import { callLines, seedLive, seedSnapshot, withEntries } from '../history/live-secret.ts';
import { createFixture, stateOf, textData } from './fixture.ts';

const OLD = { text: 'old', bytes: Uint8Array.of(0, 1, 255), empty: '' };

/** A live Secret at version 3 with version 1 archived from other values. */
function withHistory(
  overrides: Partial<SecretSeed> = {},
  archivedData: NonNullable<SecretSeed['data']> = OLD,
  historyLimit = 10,
) {
  const fixture = createFixture({ historyLimit });
  const seeded = seedLive(fixture.cluster, { data: { text: 'new' }, ...overrides });
  const old = fixture.cluster.seed({
    namespace: 'team-a',
    name: 'draft',
    data: archivedData,
  });
  seedSnapshot(fixture.cluster, seeded, 1, () => ({ data: old.data }));
  fixture.cluster.remove(old);
  return { ...fixture, seeded, old };
}

describe('restoring a version', () => {
  it('reads it by its name, archives the live state, and replaces', async () => {
    const { cluster, restore } = withHistory();
    await restore(1, {}, admin());
    expect(callLines(cluster)).toEqual(['read db', 'read db.v1.…', 'create db.v3.…', 'replace db']);
  });

  it('puts back every byte, text, binary and empty alike', async () => {
    const { restore, live, old, seeded, snapshot } = withHistory();
    const { summary, values } = await restore(1);
    expect(live().data).toEqual(old.data);
    expect(summary).toMatchObject({ version: 4, binaryKeys: ['bytes'] });
    expect(values.binary.get('bytes')).toEqual(Uint8Array.of(0, 1, 255));
    expect(snapshot(3)?.data).toEqual(seeded.data);
    expect(snapshot(1)?.data).toEqual(old.data);
  });

  it('keeps its source even when that falls out of the limit, so that a failed write can be repeated', async () => {
    const { cluster, restore, snapshot, live, old } = withHistory({}, OLD, 1);
    cluster.fail({ method: 'secrets.replace', when: 'before', times: 1 }, 'unavailable');
    expect(await codeOf(restore(1))).toBe('unavailable');
    expect(snapshot(1)).toBeDefined();
    await restore(1);
    expect(live().data).toEqual(old.data);
    expect(snapshot(1)).toBeUndefined();
  });

  it('succeeds even when its source cannot be removed afterwards', async () => {
    const { cluster, restore, snapshot, live, old } = withHistory({}, OLD, 1);
    cluster.fail({ method: 'secrets.delete' }, 'unavailable');
    await restore(1);
    expect(live().data).toEqual(old.data);
    expect(snapshot(1)).toBeDefined();
  });

  it('puts back keys that are properties of every object', async () => {
    const data = new Map(['__proto__', 'constructor', 'toString'].map((key) => [key, Uint8Array.of(1)]));
    const { restore, live } = withHistory({}, data);
    await restore(1);
    expect(live().data).toEqual(data);
  });

  it('puts back nothing where nothing was', async () => {
    const { restore, live } = withHistory({}, {});
    await restore(1);
    expect(live().data.size).toBe(0);
  });

  it('changes values only: description, rules, labels and foreign annotations stay as live', async () => {
    const { restore, live } = withHistory({
      labels: { app: 'x' },
      annotations: {
        'service.io/version': '3',
        'service.io/description': 'live',
        'service.io/allowed-groups': 'team-a',
        'example.com/foreign': 'x',
      },
    });
    await restore(1);
    expect(live().labels).toEqual(new Map([['app', 'x']]));
    expect(Object.fromEntries(live().annotations)).toMatchObject({
      'service.io/version': '4',
      'service.io/description': 'live',
      'service.io/allowed-groups': 'team-a',
      'example.com/foreign': 'x',
      'service.io/last-modified-by': 'dev@example.com',
    });
  });

  it('replaces binary values by text and the other way round', async () => {
    const { restore, live } = withHistory({ data: { text: Uint8Array.of(255) } }, { text: 'plain' });
    await restore(1);
    expect(Buffer.from(live().data.get('text') ?? []).toString()).toBe('plain');
    await restore(3);
    expect(live().data.get('text')).toEqual(Uint8Array.of(255));
  });

  it('can be undone by restoring what it replaced', async () => {
    const { restore, live, seeded } = withHistory();
    await restore(1);
    await restore(3);
    expect(live().data).toEqual(seeded.data);
    expect(live().annotations.get('service.io/version')).toBe('5');
  });

  it('is not stopped by a live Secret that has the same bytes', async () => {
    const { restore, live } = withHistory({}, { text: 'new' });
    expect((await restore(1)).summary.version).toBe(4);
    expect(live().annotations.get('service.io/version')).toBe('4');
  });
});

describe('a restore is refused before any write', () => {
  interface Request {
    readonly version?: number;
    readonly resourceVersion?: string;
    readonly recoverCounter?: boolean;
  }

  it.each<[what: string, request: Request, code: ErrorCode]>([
    ['with a blank revision', { resourceVersion: ' ' }, 'invalidRequest'],
    ['with a stale revision', { resourceVersion: '1' }, 'staleRevision'],
    ['of the stale before the absent', { resourceVersion: '1', version: 99 }, 'staleRevision'],
    ['of a version that is not archived', { version: 2 }, 'notFound'],
    ['of the live version', { version: 3 }, 'notFound'],
    ['with recovery that needs an admin', { recoverCounter: true }, 'forbidden'],
  ])('%s', async (_what, { version = 1, ...request }, code) => {
    const { cluster, restore } = withHistory();
    const before = stateOf(cluster);
    expect(await codeOf(restore(version, request))).toBe(code);
    expect(stateOf(cluster)).toEqual(before);
  });

  it.each(['kubernetes.io/service-account-token', 'platform.io/service-account-token'])(
    'onto a %s',
    async (type) => {
      const { cluster, restore } = withHistory({ type });
      await expect(restore(1)).rejects.toMatchObject({
        code: 'invalidSecret',
        reason: 'serviceAccountToken',
      });
      expect(callLines(cluster)).toEqual(['read db', 'policies.read']);
    },
  );

  it('onto another type', async () => {
    const { cluster, seeded, restore } = withHistory({ type: 'custom' });
    const snapshot = seedSnapshot(cluster, seeded, 2, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-type': 'Opaque' }),
    }));
    const before = stateOf(cluster);
    await expect(restore(2)).rejects.toMatchObject({ code: 'invalidSecret', reason: 'typeChanged' });
    expect(stateOf(cluster)).toEqual(before);
    expect(snapshot.type).toBe('Opaque');
  });

  it('onto the other spelling of the same type', async () => {
    const data = { 'tls.crt': '', 'tls.key': '' };
    const { cluster, seeded, restore } = withHistory({ type: 'platform.io/tls', data }, data);
    seedSnapshot(cluster, seeded, 2, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-type': 'kubernetes.io/tls' }),
    }));
    expect(await codeOf(restore(2))).toBe('invalidSecret');
    expect((await restore(1)).summary.version).toBe(4);
  });

  it('of values that do not fit the type', async () => {
    const { cluster, restore } = withHistory(
      { type: 'platform.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
      { 'tls.crt': '' },
    );
    const before = stateOf(cluster);
    await expect(restore(1)).rejects.toMatchObject({ code: 'invalidSecret', reason: 'typeRule' });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('of other values onto an immutable Secret', async () => {
    const { cluster, restore } = withHistory({ immutable: true });
    const before = stateOf(cluster);
    await expect(restore(1)).rejects.toMatchObject({ code: 'invalidSecret', reason: 'immutable' });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('but not of identical values onto an immutable Secret', async () => {
    const { restore } = withHistory({ immutable: true }, { text: 'new' });
    expect((await restore(1)).summary.version).toBe(4);
  });

  it('of a snapshot that is not bound', async () => {
    const { cluster, seeded, restore } = withHistory();
    seedSnapshot(cluster, seeded, 2, () => ({ labels: new Map() }));
    await expect(restore(2)).rejects.toMatchObject({ code: 'notFound', reason: 'versionNotArchived' });
  });

  it('of a version that archives another state than the one that was looked at', async () => {
    const { cluster, restore } = withHistory();
    const before = stateOf(cluster);
    await expect(restore(1, { sourceResourceVersion: '2' })).rejects.toMatchObject({
      code: 'conflict',
      reason: 'versionReplaced',
    });
    expect(stateOf(cluster)).toEqual(before);
    expect((await restore(1, { sourceResourceVersion: '1' })).summary.version).toBe(4);
  });

  it('of a snapshot that is being deleted', async () => {
    const { cluster, seeded, restore } = withHistory();
    const snapshot = seedSnapshot(cluster, seeded, 2);
    cluster.touch(snapshot, { deletionTimestamp: '2026-01-02T00:00:00Z', finalizers: ['example.com/hold'] });
    const before = stateOf(cluster);
    expect(await codeOf(restore(2))).toBe('notFound');
    expect(stateOf(cluster)).toEqual(before);
  });

  it('of a snapshot of the Secret that had the name before', async () => {
    const { cluster, seeded, restore } = withHistory();
    cluster.remove(seeded);
    seedLive(cluster);
    expect(await codeOf(restore(1))).toBe('notFound');
  });

  it('when the snapshot cannot be read', async () => {
    const { cluster, restore } = withHistory();
    cluster.fail({ method: 'secrets.read', skip: 1 }, 'unavailable');
    const before = stateOf(cluster);
    await expect(restore(1)).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'historyNotRead:unavailable',
    });
    expect(stateOf(cluster)).toEqual(before);
  });
});

describe('a restore onto a Secret whose deletion is pending', () => {
  it('is refused, saying so, as an update of its values is', async () => {
    const { cluster, seeded, restore } = withHistory({ finalizers: ['example.com/hold'] });
    cluster.touch(seeded, { deletionTimestamp: '2026-01-02T00:00:00Z' });
    const before = stateOf(cluster);
    await expect(restore(1)).rejects.toMatchObject({ code: 'conflict', reason: 'beingDeleted' });
    expect(stateOf(cluster)).toEqual(before);
  });
});

describe('a restored version', () => {
  it('of a text edit is what was there before it', async () => {
    const fixture = createFixture();
    await fixture.create({ data: textData({ a: 'first' }) });
    await fixture.update({ data: textData({ a: 'second' }) });
    await fixture.update({ data: textData({ a: 'third' }) });
    const { values } = await fixture.restore(1);
    expect(values.text).toEqual(textData({ a: 'first' }));
    expect((await fixture.versions()).versions.map(({ version }) => version)).toEqual([3, 2, 1]);
  });
});
