import { describe, expect, it } from 'vitest';
import { decide, type Live, type Plan, type Rules } from '../../../../src/history/reconciler/decide.ts';
import type { SecretMetadata } from '../../../../src/kube/secret.ts';
import {
  changed,
  indexedSecret,
  NAMES,
  snapshotObject,
  orphanedSince,
  indexed,
  UID,
} from './history-objects.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const HOUR = 3_600_000;
const TIME = { nowMs: NOW, annotationFailedAt: () => undefined };
const ago = (ms: number) => new Date(NOW - ms).toISOString();

function plan(objects: readonly SecretMetadata[], live: Live['state'], rules: Partial<Rules> = {}): Plan {
  const complete = { limit: 3, orphanTtlMs: HOUR, ...TIME, ...rules };
  return decide(objects.map(indexed), { state: live, resourceVersion: '2000' }, complete);
}

/** Steps as `what:version`. */
const summaryOf = ({ steps }: Plan) =>
  steps.map(({ kind, object }) => `${kind}:${/\.v([0-9]+)\./.exec(object.name)?.[1] ?? ''}`);
const versions = (...numbers: number[]) => numbers.map((version) => snapshotObject(version));

describe('while the live Secret is there', () => {
  it.each([
    ['none', [], []],
    ['fewer than the limit', [1, 2], []],
    ['as many as the limit', [1, 2, 3], []],
    ['one more', [1, 2, 3, 4], ['prune:1']],
    ['many more, in any order, with gaps', [40, 7, 12, 3, 100, 5], ['prune:3', 'prune:5', 'prune:7']],
  ])('%s: the newest of the limit stay, the oldest go first', (_what, present, steps) => {
    expect(summaryOf(plan(versions(...present), 'present'))).toEqual(steps);
  });

  it('what was archived last stays, even where someone has removed or lowered the live counter', () => {
    const archived = (version: number, revision: string) => {
      const object = snapshotObject(version);
      return {
        ...object,
        annotations: changed(object.annotations, { [NAMES.historyResourceVersion]: revision }),
      };
    };
    const before = [archived(7, '107'), archived(8, '998'), archived(9, '1009')];
    expect(summaryOf(plan([archived(1, '1010'), ...before], 'present'))).toEqual(['prune:7']);
    expect(summaryOf(plan([archived(1, '1010'), archived(2, '1011'), ...before], 'present'))).toEqual([
      'prune:7',
      'prune:8',
    ]);
    expect(summaryOf(plan([archived(1, 'no numeral'), ...before], 'present'))).toEqual(['prune:1']);
  });

  it.each([
    ['while the archived revision is live, which may be deleted just now', '2000', []],
    ['once the live Secret has changed', '1999', ['clearFinal:4']],
  ])('the record of a deletion is removed %s', (_when, revision, steps) => {
    const object = snapshotObject(4);
    const final = {
      ...object,
      labels: changed(object.labels, { [NAMES.historyFinal]: 'true' }),
      annotations: changed(object.annotations, {
        [NAMES.historyResourceVersion]: revision,
        [NAMES.historyFinal]: 'true',
        [NAMES.historyDeletedBy]: 'dev@example.com',
        [NAMES.historyDeletedAt]: ago(HOUR),
      }),
    };
    expect(summaryOf(plan([final], 'present'))).toEqual(steps);
    expect(summaryOf(plan([final], 'terminating'))).toEqual([]);
  });

  it.each([
    ['still the live one', '2000'],
    ['later than the known live one', '2001'],
  ])('a snapshot whose source is %s has no rank: it stays, and pushes nothing out', (_what, revision) => {
    const attempt = (version: number) => {
      const object = snapshotObject(version);
      return {
        ...object,
        annotations: changed(object.annotations, { [NAMES.historyResourceVersion]: revision }),
      };
    };
    expect(summaryOf(plan([...versions(1, 2, 3), attempt(4)], 'present'))).toEqual([]);
    expect(summaryOf(plan([...versions(1, 2, 3, 4), attempt(5)], 'present'))).toEqual(['prune:1']);
    expect(summaryOf(plan([attempt(1), attempt(2)], 'present', { limit: 1 }))).toEqual([]);
  });

  it('nothing is beyond the limit while its revision is not known', () => {
    const live = { state: 'present', resourceVersion: undefined } as const;
    const rules = { limit: 1, orphanTtlMs: HOUR };
    expect(decide(versions(1, 2, 3).map(indexed), live, { ...rules, ...TIME }).steps).toEqual([]);
  });

  it('counts no snapshot that is on its way out, and does not remove it again', () => {
    const going = snapshotObject(2, { deletionTimestamp: ago(0) });
    expect(summaryOf(plan([...versions(1, 3, 4), going], 'present'))).toEqual([]);
    expect(summaryOf(plan([...versions(1, 3, 4, 5), going], 'present'))).toEqual(['prune:1']);
  });

  it('removes an orphaned-at annotation again', () => {
    expect(summaryOf(plan([orphanedSince(1, ago(9 * HOUR))], 'present'))).toEqual(['clearOrphan:1']);
  });

  it('leaves nothing for later', () => {
    expect(plan(versions(1, 2), 'present').nextInMs).toBeUndefined();
  });
});

describe('while the live Secret is terminating', () => {
  it('everything stays, beyond the limit and past the time to live', () => {
    const objects = [...versions(1, 2, 3, 4, 5), orphanedSince(6, ago(9 * HOUR))];
    expect(plan(objects, 'terminating')).toEqual({ steps: [], nextInMs: undefined });
  });
});

describe('once the live Secret is gone', () => {
  it('without a time to live, everything stays for ever, beyond the limit too', () => {
    const objects = [...versions(1, 2, 3, 4, 5), orphanedSince(6, ago(9_999 * HOUR))];
    expect(plan(objects, 'gone', { orphanTtlMs: undefined })).toEqual({ steps: [], nextInMs: undefined });
  });

  it('the time to live begins when that is first seen, however old the snapshot is', () => {
    const old = snapshotObject(1, { creationTimestamp: '2020-01-01T00:00:00Z' });
    const decided = plan([old], 'gone');
    expect(summaryOf(decided)).toEqual(['annotateOrphan:1']);
    expect(decided.nextInMs).toBe(HOUR);
  });

  it.each([
    ['before its end', HOUR - 1, []],
    ['at its end', HOUR, ['removeOrphan:1']],
    ['after its end', HOUR + 1, ['removeOrphan:1']],
    ['with the time of a clock that is a little ahead', -30_000, []],
    ['with the time of a clock that is wrong', -HOUR, ['annotateOrphan:1']],
  ])('%s, an orphan is treated so', (_what, age, steps) => {
    expect(summaryOf(plan([orphanedSince(1, ago(age))], 'gone'))).toEqual(steps);
  });

  it('the next look is when the first of them is due', () => {
    const decided = plan(
      [orphanedSince(1, ago(HOUR / 2)), orphanedSince(2, ago(HOUR / 4)), snapshotObject(3)],
      'gone',
    );
    expect(decided.nextInMs).toBe(HOUR / 2);
  });

  it('an annotation that is no time counts as none', () => {
    expect(summaryOf(plan([orphanedSince(1, 'yesterday')], 'gone'))).toEqual(['annotateOrphan:1']);
  });

  it('a snapshot that is on its way out is left to go', () => {
    const going = { ...orphanedSince(1, ago(9 * HOUR)), deletionTimestamp: ago(0) };
    expect(plan([going], 'gone')).toEqual({ steps: [], nextInMs: undefined });
  });
});

describe('a lost label', () => {
  it.each<[string, Live['state']]>([
    ['present', 'present'],
    ['terminating', 'terminating'],
    ['gone', 'gone'],
  ])('is put back while the live Secret is %s, and nothing else is done to the object', (_what, live) => {
    const object = snapshotObject(1, { labels: new Map() });
    const { steps } = plan([object], live);
    const step = { kind: 'relabel', object: indexed(object) };
    expect(steps).toEqual([step]);
    expect(step.object.parsed.lostLabels).toEqual(
      new Map([
        [NAMES.kind, 'history'],
        [NAMES.historyUidLabel, UID],
      ]),
    );
  });

  it('is put back alone when the other label is there', () => {
    const object = snapshotObject(1);
    const { steps } = plan(
      [{ ...object, labels: changed(object.labels, { [NAMES.kind]: undefined }) }],
      'present',
    );
    const lostLabels = new Map([[NAMES.kind, 'history']]);
    expect(steps).toMatchObject([{ kind: 'relabel', object: { parsed: { lostLabels } } }]);
  });

  it('does not push a whole snapshot out of the limit', () => {
    const objects = [...versions(1, 2, 3), snapshotObject(4, { labels: new Map() })];
    expect(summaryOf(plan(objects, 'present'))).toEqual(['relabel:4']);
  });
});

describe('an object is inconsistent, and nothing is decided about it, when', () => {
  const whole = snapshotObject(1);
  const annotation = (change: Record<string, string | undefined>) => ({
    ...whole,
    annotations: changed(whole.annotations, change),
  });
  it.each([
    ['its kind annotation is gone', annotation({ [NAMES.kind]: undefined }), 'kindAnnotationMissing'],
    ['its kind annotation is another', annotation({ [NAMES.kind]: 'other' }), 'kindAnnotationMissing'],
    ['its live name is gone', annotation({ [NAMES.historyOf]: undefined }), 'liveNameMissing'],
    ['its live name is another', annotation({ [NAMES.historyOf]: 'other' }), 'nameDisagrees'],
    ['its UID is gone', annotation({ [NAMES.historyUid]: undefined }), 'uidMissing'],
    ['its UID is another', annotation({ [NAMES.historyUid]: 'other' }), 'uidLabelDisagrees'],
    ['its version is gone', annotation({ [NAMES.historyVersion]: undefined }), 'versionMalformed'],
    ['its version is no number', annotation({ [NAMES.historyVersion]: '1e3' }), 'versionMalformed'],
    ['its version is another', annotation({ [NAMES.historyVersion]: '2' }), 'nameDisagrees'],
    [
      'its source revision is gone',
      annotation({ [NAMES.historyResourceVersion]: undefined }),
      'sourceRevisionMissing',
    ],
    ['its type is gone', annotation({ [NAMES.historyType]: undefined }), 'typeMissing'],
    ['its name is another', { ...whole, name: 'copy' }, 'nameDisagrees'],
    [
      'its kind label is another',
      { ...whole, labels: changed(whole.labels, { [NAMES.kind]: 'other' }) },
      'kindLabelMissing',
    ],
    [
      'its UID label is another',
      { ...whole, labels: changed(whole.labels, { [NAMES.historyUidLabel]: 'other' }) },
      'uidLabelDisagrees',
    ],
    [
      'labels are lost and an annotation, too',
      { ...annotation({ [NAMES.historyType]: undefined }), labels: new Map<string, string>() },
      'typeMissing',
    ],
  ])('%s', (_what, object, violation) => {
    expect(indexedSecret(object)).toMatchObject({ kind: 'history', parsed: violation });
  });
});
