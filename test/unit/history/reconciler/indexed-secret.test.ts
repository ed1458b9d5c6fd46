import { describe, expect, it } from 'vitest';
import { keyOf, partsOf, stateOfSnapshot } from '../../../../src/history/snapshot/indexed-secret.ts';
import { changed, indexedSecret, NAMES, snapshotObject, UID } from './history-objects.ts';

const live = (more: Partial<ReturnType<typeof snapshotObject>> = {}) =>
  snapshotObject(1, { name: 'db', uid: UID, labels: new Map(), annotations: new Map(), ...more });

describe('of a live Secret', () => {
  it('only its identity and its revision are kept', () => {
    const annotations = new Map([
      ['kubectl.kubernetes.io/last-applied-configuration', 'all-values-in-base64'],
      [NAMES.version, '4'],
    ]);
    expect(indexedSecret(live({ annotations }))).toEqual({
      kind: 'live',
      namespace: 'team-a',
      name: 'db',
      uid: UID,
      resourceVersion: '101',
      terminating: false,
    });
  });

  it('it is known whether it is terminating', () => {
    expect(indexedSecret(live({ deletionTimestamp: '2026-01-01T00:00:00Z' }))).toMatchObject({
      terminating: true,
    });
  });
});

describe('of a history object', () => {
  it('only its identity and what it archives are kept', () => {
    const whole = snapshotObject(7);
    const foreign = changed(whole.annotations, { 'example.com/note': 'anything' });
    expect(indexedSecret({ ...whole, annotations: foreign })).toEqual({
      kind: 'history',
      namespace: 'team-a',
      name: whole.name,
      uid: whole.uid,
      resourceVersion: '107',
      terminating: false,
      claimedUid: UID,
      parsed: {
        ...{ of: 'db', version: 7, sourceResourceVersion: '77' },
        ...{ lostLabels: new Map(), orphanedAt: undefined, isFinal: false },
      },
    });
  });

  it.each([
    [NAMES.historyUid, 'uidMissing'],
    [NAMES.historyOf, 'liveNameMissing'],
    [NAMES.historyResourceVersion, 'sourceRevisionMissing'],
    [NAMES.historyOrphanedAt, { orphanedAt: NaN }],
    [NAMES.historyDeletedAt, { deletedAt: NaN }],
    [NAMES.historyVersion, 'versionMalformed'],
    [NAMES.historyType, { of: 'db' }],
  ])('no text of 250,000 characters is kept: %s', (annotation, expected) => {
    const whole = snapshotObject(7);
    const final = { [NAMES.historyFinal]: 'true', [NAMES.historyDeletedBy]: 'dev@example.com' };
    const accepted = { [NAMES.historyDeletedAt]: '2026-01-01', [NAMES.historyDeletionAccepted]: 'true' };
    const long = { ...final, ...accepted, [annotation]: '7'.repeat(250_000) };
    const indexed = indexedSecret({ ...whole, annotations: changed(whole.annotations, long) });
    expect(indexed).toMatchObject({ kind: 'history', name: whole.name, parsed: expected });
    expect(JSON.stringify(indexed).length).toBeLessThan(1_000);
  });

  it.each([NAMES.kind, NAMES.historyUid])(
    'one label is enough to be recognised: the annotation %s',
    (label) => {
      const object = snapshotObject(1, { labels: new Map(), annotations: new Map([[label, 'history']]) });
      expect(indexedSecret(object).kind).toBe('history');
    },
  );

  it.each([NAMES.kind, NAMES.historyUidLabel])(
    'one label is enough to be recognised: the label %s',
    (label) => {
      const object = snapshotObject(1, { annotations: new Map(), labels: new Map([[label, 'history']]) });
      expect(indexedSecret(object).kind).toBe('history');
    },
  );
});

it('a live Secret and its history meet under one key', () => {
  const key = keyOf(indexedSecret(live()));
  expect(keyOf(indexedSecret(snapshotObject(7)))).toBe(key);
  expect(partsOf(key)).toEqual({ namespace: 'team-a', uid: UID });
});

it.each([
  ['bound', snapshotObject(1), 'live'],
  ['orphaned', snapshotObject(1), undefined],
  ['inconsistent', { ...snapshotObject(1), labels: new Map<string, string>() }, 'live'],
  ['inconsistent', { ...snapshotObject(1), annotations: new Map<string, string>() }, undefined],
  ['inconsistent', snapshotObject(1), 'other'],
] as const)('a history object is %s', (state, object, liveName) => {
  const history = indexedSecret(object);
  const owner = liveName === undefined ? undefined : { name: liveName === 'live' ? live().name : liveName };
  expect(history.kind === 'history' && stateOfSnapshot(history, owner)).toBe(state);
});
