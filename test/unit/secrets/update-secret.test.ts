import { describe, expect, it } from 'vitest';
import { actor, admin } from '../access/users.ts';
import { callLines, seedSnapshot } from '../history/live-secret.ts';
import { stateOf, textData } from './fixture.ts';
import { text, withLive } from './live-fixture.ts';

describe('updating a Secret', () => {
  it('reads, archives, replaces: three calls, and one for the policy where it decides', async () => {
    const { cluster, update } = withLive();
    await update({ data: textData({ a: 'x' }) });
    expect(callLines(cluster)).toEqual(['read db', 'policies.read', 'create db.v3.…', 'replace db']);
    cluster.calls.length = 0;
    await update({ description: 'new' }, admin());
    expect(callLines(cluster)).toEqual(['read db', 'create db.v4.…', 'replace db']);
  });

  it('confirms the archived state with a call where the watch is behind', async () => {
    const { cluster, update } = withLive({}, { historyIndex: 'none' });
    await update({ description: 'new' }, admin());
    expect(callLines(cluster)).toEqual([
      'read db',
      'listMetadata',
      'create db.v3.…',
      'replace db',
      'patchMetadata db.v3.…',
    ]);
  });

  it('prunes before the replacement, with one call more, once the limit is reached', async () => {
    const { cluster, seeded, update, archived } = withLive({}, { historyLimit: 2 });
    seedSnapshot(cluster, seeded, 1);
    seedSnapshot(cluster, seeded, 2);
    await update({ description: 'new' }, admin());
    expect(callLines(cluster)).toEqual(['read db', 'create db.v3.…', 'delete db.v1.…', 'replace db']);
    expect(archived()).toEqual([2, 3]);
  });

  it('replaces the whole map of values, clears it by {}, and keeps it when it is left out', async () => {
    const { update, live } = withLive();
    await update({ data: textData({ c: '3' }) });
    expect(text(live().data)).toEqual({ c: '3' });
    await update({ description: 'kept' });
    expect(text(live().data)).toEqual({ c: '3' });
    await update({ data: new Map() });
    expect(live().data.size).toBe(0);
  });

  it('stores everything that one request names: values, description and access rules', async () => {
    const { update, live } = withLive();
    await update(
      {
        data: textData({ c: '3' }),
        description: 'changed',
        allowedGroups: ['team-a'],
        allowedUsers: ['dev@example.com'],
      },
      admin(),
    );
    expect(text(live().data)).toEqual({ c: '3' });
    const { annotations } = live();
    expect(annotations.get('service.io/description')).toBe('changed');
    expect(annotations.get('service.io/allowed-groups')).toBe('team-a');
    expect(annotations.get('service.io/allowed-users')).toBe('dev@example.com');
  });

  it('counts one step, writes who and when, and takes the Secret into management', async () => {
    const { update, live } = withLive({
      annotations: { 'service.io/version': '41', 'example.com/kept': 'x' },
    });
    const { summary } = await update({ description: 'd' }, actor({ email: 'Dev@Example.com' }));
    expect(Object.fromEntries(live().annotations)).toEqual({
      'example.com/kept': 'x',
      'service.io/managed-by': 'service',
      'service.io/version': '42',
      'service.io/description': 'd',
      'service.io/last-modified-by': 'dev@example.com',
      'service.io/last-modified-at': '2026-03-04T05:06:07.089Z',
    });
    expect(summary).toMatchObject({
      version: 42,
      managedByService: true,
      resourceVersion: live().resourceVersion,
    });
  });

  it.each([
    ['absent', undefined],
    ['zero', '0'],
    ['malformed', 'v7'],
    ['beyond what can be counted', '9007199254740992'],
  ])(
    'with a counter that is %s archives version 1 and writes version 2, then 2 and 3',
    async (_what, counter) => {
      const { update, archived, live } = withLive({
        annotations: counter === undefined ? {} : { 'service.io/version': counter },
      });
      expect((await update({ description: 'first' })).summary.version).toBe(2);
      expect(archived()).toEqual([1]);
      expect((await update({ description: 'second' })).summary.version).toBe(3);
      expect(archived()).toEqual([1, 2]);
      expect(live().annotations.get('service.io/version')).toBe('3');
    },
  );

  it('with a counter that cannot be raised is refused before a write', async () => {
    const { cluster, update } = withLive({ annotations: { 'service.io/version': '9007199254740991' } });
    const before = stateOf(cluster);
    await expect(update({ description: 'x' })).rejects.toMatchObject({
      code: 'snapshotCollision',
      reason: 'counterExhausted',
    });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('with a huge counter still counts', async () => {
    const { update, archived } = withLive({ annotations: { 'service.io/version': '9007199254740990' } });
    expect((await update({ description: 'x' })).summary.version).toBe(9_007_199_254_740_991);
    expect(archived()).toEqual([9_007_199_254_740_990]);
  });

  it('archives the state before it, byte for byte', async () => {
    const { seeded, update, snapshot } = withLive();
    await update({ data: textData({ a: 'new' }) });
    expect(snapshot(3)?.data).toEqual(seeded.data);
    expect(snapshot(3)?.annotations.get('service.io/history-resource-version')).toBe(seeded.resourceVersion);
  });

  it('keeps type, UID, labels, finalizers, immutability and the pending deletion', async () => {
    const { cluster, seeded, update, live } = withLive({
      type: 'custom',
      immutable: true,
      labels: { app: 'x' },
      finalizers: ['example.com/hold'],
    });
    cluster.touch(seeded, { deletionTimestamp: '2026-01-02T00:00:00Z' });
    const { summary } = await update({ description: 'new' });
    expect(live()).toMatchObject({
      type: 'custom',
      uid: seeded.uid,
      immutable: true,
      finalizers: ['example.com/hold'],
      labels: new Map([['app', 'x']]),
      deletionTimestamp: '2026-01-02T00:00:00Z',
      creationTimestamp: seeded.creationTimestamp,
    });
    expect(summary.deletionTimestamp).toBe('2026-01-02T00:00:00Z');
  });

  it('clears one list of access rules by an empty one and keeps the other as stored', async () => {
    const { update, live } = withLive({
      annotations: {
        'service.io/allowed-groups': 'team-a , team-b',
        'service.io/allowed-users': ' dev@example.com,, ',
      },
    });
    await update({ allowedGroups: [] });
    expect(live().annotations.get('service.io/allowed-groups')).toBe('');
    expect(live().annotations.get('service.io/allowed-users')).toBe(' dev@example.com,, ');
    const { summary } = await update({ allowedUsers: [] });
    expect(summary).toMatchObject({ allowedGroups: [], allowedUsers: [] });
  });
});

describe('an update by someone who may write, but not manage', () => {
  const withWriters = () =>
    withLive({
      annotations: { 'service.io/allowed-users': 'owner@example.com', 'service.io/writer-groups': 'team-a' },
    });

  it.each([
    ['adds', { writerGroups: ['team-a', 'team-b'] }],
    ['removes', { allowedUsers: [] }],
    ['replaces', { allowedUsers: ['dev@example.com'] }],
  ])('that %s an entry of the rules is refused before a write', async (_what, rules) => {
    const { cluster, update } = withWriters();
    const before = stateOf(cluster);
    await expect(update({ data: textData({ a: 'x' }), ...rules })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('takes values, and lists that are sent as they are stored', async () => {
    const { update, live } = withWriters();
    const rules = { allowedUsers: ['owner@example.com'], writerGroups: [' team-a'], readerGroups: [] };
    await update({ data: textData({ a: 'x' }), ...rules });
    expect(text(live().data)).toEqual({ a: 'x' });
  });
});

describe('an update', () => {
  it('that omits the description keeps one from elsewhere, however long it is', async () => {
    const description = 'é'.repeat(100_000);
    const { update, live } = withLive({ annotations: { 'service.io/description': description } });
    await update({ allowedGroups: ['team-a'] });
    expect(live().annotations.get('service.io/description')).toBe(description);
    await expect(update({ description })).rejects.toMatchObject({ code: 'invalidRequest' });
  });
});

describe('an update of the description alone', () => {
  it('is refused where it makes the whole more than the cluster can store', async () => {
    const keys = Array.from({ length: 4_000 }, (_one, index) => `key-of-20-bytes-${index + 1_000}`);
    const data = new Map([
      ...keys.map((key) => [key, ''] as const),
      ['large', 'x'.repeat(1_048_576)] as const,
    ]);
    const { cluster, update } = withLive({
      data: Object.fromEntries(data),
      annotations: { 'example.com/big': 'x'.repeat(200_000) },
    });
    const before = stateOf(cluster);
    await expect(update({ description: 'x'.repeat(4_000) })).rejects.toMatchObject({
      code: 'tooLarge',
      reason: 'storedBudget',
    });
    expect(stateOf(cluster)).toEqual(before);
    await update({ description: 'short' });
  });
});

describe('an immutable Secret', () => {
  it('takes metadata', async () => {
    const { update, live } = withLive({ immutable: true });
    await update({ description: 'new', allowedGroups: ['team-a'] });
    expect(live()).toMatchObject({ immutable: true });
    expect(live().annotations.get('service.io/description')).toBe('new');
  });

  it('takes identical data', async () => {
    const { update, live } = withLive({ immutable: true });
    await update({ data: textData({ b: '2', a: '1' }) });
    expect(text(live().data)).toEqual({ a: '1', b: '2' });
    expect(live().annotations.get('service.io/version')).toBe('4');
  });
});

describe('a Secret with binary values', () => {
  it('takes metadata and keeps every byte', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_item, index) => index);
    const { update, live } = withLive({ data: { bytes, text: 'x' } });
    const { values } = await update({ description: 'new' });
    expect([...(live().data.get('bytes') ?? [])]).toEqual([...bytes]);
    expect([...values.binary.keys()]).toEqual(['bytes']);
    expect([...values.text.keys()]).toEqual(['text']);
  });
});
