import { describe, expect, it } from 'vitest';
import { createKeepHistory } from '../../../src/caches/cached-history.ts';
import { createSharedValues } from '../../../src/caches/shared-values.ts';
import { toIndexed, type IndexedHistory } from '../../../src/history/reconciler/reconcile.ts';
import { snapshotName } from '../../../src/history/snapshot/snapshot-name.ts';
import type { SecretMetadata } from '../../../src/kube/secret.ts';
import { parsed } from '../../fakes/annotations.ts';
import { changed, NAMES, orphanedSince, snapshotObject, UID } from '../history/reconciler/history-objects.ts';

const keep = () => createKeepHistory(createSharedValues(10));

/** Every field, whether it is kept or put together when it is read. */
function fields(history: IndexedHistory | undefined) {
  if (history === undefined) return undefined;
  const { kind, namespace, name, uid, resourceVersion, terminating, claimedUid, parsed: archived } = history;
  return { kind, namespace, name, uid, resourceVersion, terminating, claimedUid, parsed: archived };
}

const annotated = (change: Readonly<Record<string, string | undefined>>) => {
  const object = snapshotObject(1);
  return parsed({ ...object, annotations: changed(object.annotations, change) });
};

describe('what is kept of a history object', () => {
  it.each<[what: string, object: SecretMetadata]>([
    ['a snapshot', snapshotObject(1)],
    ['a revision that is no number', snapshotObject(1, { resourceVersion: 'opaque' })],
    ['a revision that another number would be', snapshotObject(1, { resourceVersion: '0042' })],
    ['a revision beyond what is safe', snapshotObject(1, { resourceVersion: '9007199254740993' })],
    ['an archived revision that is no number', annotated({ [NAMES.historyResourceVersion]: '1e3' })],
    ['one that is being deleted', snapshotObject(1, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['an orphan', orphanedSince(1, '2026-01-01T00:00:00Z')],
    ['one without its labels', parsed({ ...snapshotObject(1), labels: new Map() })],
    ['an inconsistent one', annotated({ [NAMES.historyVersion]: 'x' })],
    ['one that names no live Secret', annotated({ [NAMES.historyOf]: undefined })],
  ])('is what the reconciler needs of it: %s', (_what, object) => {
    expect(fields(keep()(object))).toEqual(toIndexed(object));
  });

  it('is what each says itself, whatever the one before it said', () => {
    const keepHistory = keep();
    const { labels, annotations } = snapshotObject(1);
    const other = parsed({
      ...snapshotObject(1),
      name: snapshotName('web', 1, 'other'),
      labels: changed(labels, { [NAMES.historyUidLabel]: 'other' }),
      annotations: changed(annotations, { [NAMES.historyUid]: 'other', [NAMES.historyOf]: 'web' }),
    });
    for (const object of [snapshotObject(1), other, snapshotObject(2), snapshotObject(3)])
      expect(fields(keepHistory(object))).toEqual(toIndexed(object));
    expect(keepHistory(snapshotObject(4))?.claimedUid).toBe(UID);
  });

  it('is nothing of a live Secret', () => {
    const live = snapshotObject(1, { name: 'db', labels: new Map(), annotations: new Map() });
    expect(keep()(live)).toBeUndefined();
  });
});
