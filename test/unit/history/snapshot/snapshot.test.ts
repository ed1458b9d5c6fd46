import { describe, expect, it } from 'vitest';
import { AnnotationCodec } from '../../../../src/kube/annotation-codec.ts';
import type { SecretDraft } from '../../../../src/kube/secret.ts';
import {
  archives,
  claimsToBeHistory,
  readSnapshot,
  snapshotDraft,
  snapshotName,
  type Inconsistency,
} from '../../../../src/history/snapshot/snapshot.ts';
import { clusterWithLive, seedLive, seedAttempt, seedSnapshot, withEntries } from '../live-secret.ts';
import { codec } from '../../../fakes/annotations.ts';

describe('the draft of a snapshot', () => {
  it('carries all its labels and annotations, and no owner', () => {
    const { live } = clusterWithLive();
    const draft = snapshotDraft(live, 3, codec);
    expect(draft).toMatchObject({
      namespace: 'team-a',
      name: snapshotName('db', 3, live.uid),
      type: 'Opaque',
      immutable: true,
    });
    expect(Object.fromEntries(draft.labels)).toEqual({
      'service.io/kind': 'history',
      'service.io/history-uid': live.uid,
    });
    expect(Object.fromEntries(draft.annotations)).toEqual({
      'service.io/kind': 'history',
      'service.io/history-of': 'db',
      'service.io/history-uid': live.uid,
      'service.io/history-version': '3',
      'service.io/history-resource-version': live.resourceVersion,
      'service.io/history-type': 'Opaque',
      'service.io/last-modified-by': 'dev@example.com',
      'service.io/last-modified-at': '2026-01-01T00:00:00.000Z',
    });
    expect(Object.keys(draft).sort()).toEqual(
      ['annotations', 'data', 'immutable', 'labels', 'name', 'namespace', 'type'].sort(),
    );
  });

  it('holds the values byte for byte', () => {
    const data = new Map([
      ['__proto__', Uint8Array.of(0, 1, 255)],
      ['constructor', new Uint8Array()],
    ]);
    const { live } = clusterWithLive({ data });
    expect(snapshotDraft(live, 1, codec).data).toEqual(data);
  });

  it('remembers the original type beside its own', () => {
    const { live } = clusterWithLive({ type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } });
    const draft = snapshotDraft(live, 1, codec);
    expect(draft.type).toBe('Opaque');
    expect(draft.annotations.get('service.io/history-type')).toBe('kubernetes.io/tls');
  });

  it('has no last-modified annotations when the source has none', () => {
    const { live } = clusterWithLive({ annotations: {} });
    const { annotations } = snapshotDraft(live, 1, codec);
    expect([...annotations.keys()].filter((name) => name.includes('last-modified'))).toEqual([]);
  });

  it('carries neither access rules nor foreign annotations nor the managed-by marker', () => {
    const { live } = clusterWithLive({
      labels: { app: 'x' },
      annotations: { 'service.io/managed-by': 'service', 'service.io/allowed-users': 'a@x', other: '1' },
    });
    const draft = snapshotDraft(live, 1, codec);
    expect([...draft.annotations.keys()].every((name) => /\/(kind|history-.*)$/.test(name))).toBe(true);
    expect(draft.labels.has('app')).toBe(false);
  });

  it('uses the configured prefix', () => {
    const { live } = clusterWithLive();
    const other = new AnnotationCodec('secrets.example.org');
    const draft = snapshotDraft(live, 1, other);
    expect([...draft.labels.keys()].every((name) => name.startsWith('secrets.example.org/'))).toBe(true);
    expect(draft.annotations.get('secrets.example.org/history-version')).toBe('1');
  });
});

describe('a stored snapshot', () => {
  it('is read back as what was archived', () => {
    const { cluster, live } = clusterWithLive();
    const stored = seedAttempt(cluster, live, 3);
    expect(readSnapshot(stored)).toMatchObject({
      of: 'db',
      uid: live.uid,
      version: 3,
      sourceResourceVersion: live.resourceVersion,
      type: 'Opaque',
      lastModifiedBy: 'dev@example.com',
      lastModifiedAt: '2026-01-01T00:00:00.000Z',
      stored: { creationTimestamp: stored.creationTimestamp, data: live.data },
    });
  });

  it('is read back when its live name had to be cut', () => {
    const name = `${'a'.repeat(240)}.bcd`;
    const { cluster, live } = clusterWithLive({ name });
    expect(readSnapshot(seedSnapshot(cluster, live, 3))).toMatchObject({ of: name, version: 3 });
  });

  type Change = (draft: SecretDraft) => Partial<SecretDraft>;
  const label =
    (name: string, value?: string): Change =>
    ({ labels }) => ({ labels: withEntries(labels, { [`service.io/${name}`]: value }) });
  const annotation =
    (name: string, value?: string): Change =>
    ({ annotations }) => ({ annotations: withEntries(annotations, { [`service.io/${name}`]: value }) });
  const renamed =
    (name: string): Change =>
    () => ({ name });

  it.each<[what: string, change: Change, violation: Inconsistency]>([
    ['its kind label', label('kind'), 'kindLabelMissing'],
    ['its kind label to something else', label('kind', 'live'), 'kindLabelMissing'],
    ['its kind annotation', annotation('kind'), 'kindAnnotationMissing'],
    ['its kind annotation to another case', annotation('kind', 'History'), 'kindAnnotationMissing'],
    ['its live name', annotation('history-of'), 'liveNameMissing'],
    ['its live name to nothing', annotation('history-of', ''), 'liveNameMissing'],
    ['its live name to a long one', annotation('history-of', `${'a'.repeat(253)}b`), 'liveNameMissing'],
    ['its live name to another', annotation('history-of', 'other'), 'nameDisagrees'],
    ['its UID annotation', annotation('history-uid'), 'uidMissing'],
    ['its UID annotation to nothing', annotation('history-uid', ''), 'uidMissing'],
    ['its UID annotation to a long one', annotation('history-uid', 'a'.repeat(64)), 'uidMissing'],
    ['its UID annotation to another', annotation('history-uid', 'other'), 'uidLabelDisagrees'],
    ['its UID label', label('history-uid'), 'uidLabelDisagrees'],
    ['its UID label to another', label('history-uid', 'other'), 'uidLabelDisagrees'],
    ['its version', annotation('history-version'), 'versionMalformed'],
    ['its version to zero', annotation('history-version', '0'), 'versionMalformed'],
    ['its version to another spelling', annotation('history-version', '03'), 'versionMalformed'],
    ['its version to a huge one', annotation('history-version', '9007199254740992'), 'versionMalformed'],
    ['its version to another', annotation('history-version', '4'), 'nameDisagrees'],
    ['its source revision', annotation('history-resource-version'), 'sourceRevisionMissing'],
    ['its source revision to nothing', annotation('history-resource-version', ''), 'sourceRevisionMissing'],
    [
      'its source revision to a long one',
      annotation('history-resource-version', '5'.repeat(65)),
      'sourceRevisionMissing',
    ],
    [
      'its source revision to two lines',
      annotation('history-resource-version', '5\n'),
      'sourceRevisionMissing',
    ],
    [
      'its source revision to letters',
      annotation('history-resource-version', 'ключ'),
      'sourceRevisionMissing',
    ],
    ['its type', annotation('history-type'), 'typeMissing'],
    ['its name', renamed('db.v3.0000000000000000'), 'nameDisagrees'],
    ['its name to a plain one', renamed('copy'), 'nameDisagrees'],
  ])('that has lost %s is not bound', (_what, change, violation) => {
    const { cluster, live } = clusterWithLive();
    expect(readSnapshot(seedSnapshot(cluster, live, 3, change))).toBe(violation);
  });

  it('under both another UID label and annotation disagrees with its name', () => {
    const { cluster, live } = clusterWithLive();
    const stored = seedSnapshot(cluster, live, 3, (draft) => ({
      ...label('history-uid', 'other')(draft),
      ...annotation('history-uid', 'other')(draft),
    }));
    expect(readSnapshot(stored)).toBe('nameDisagrees');
  });

  it('of another prefix is not bound', () => {
    const { cluster, live } = clusterWithLive();
    const stored = seedSnapshot(cluster, live, 3);
    const managed = new AnnotationCodec('other.io').parse(stored);
    expect(readSnapshot({ ...stored, managed })).toBe('kindLabelMissing');
  });

  it('belongs to the live object of the same UID, name and namespace only', () => {
    const { cluster, live } = clusterWithLive();
    const snapshot = readSnapshot(seedSnapshot(cluster, live, 3));
    if (typeof snapshot === 'string') throw new Error('expected a bound snapshot');
    expect(archives(snapshot, live)).toBe(true);
    expect(archives(snapshot, { ...live, uid: 'other' })).toBe(false);
    expect(archives(snapshot, { ...live, name: 'other' })).toBe(false);
    expect(archives(snapshot, { ...live, namespace: 'team-b' })).toBe(false);
    cluster.remove(live);
    expect(archives(snapshot, seedLive(cluster))).toBe(false);
  });
});

describe('an object claims to be history', () => {
  it.each([
    ['by its label', { labels: { 'service.io/kind': 'history' } }, true],
    ['by its annotation', { annotations: { 'service.io/kind': 'history' } }, true],
    ['not by another kind', { labels: { 'service.io/kind': 'live' } }, false],
    ['not by another prefix', { labels: { 'other.io/kind': 'history' } }, false],
    ['not by its name', { name: 'db.v1.0123456789abcdef' }, false],
    ['not by nothing', {}, false],
  ])('%s', (_what, overrides, claims) => {
    const { live } = clusterWithLive({ annotations: {}, ...overrides });
    expect(claimsToBeHistory(live)).toBe(claims);
  });
});
