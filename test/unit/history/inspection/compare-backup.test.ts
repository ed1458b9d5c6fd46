import { describe, expect, it } from 'vitest';
import { differences, stateOfObject } from '../../../../src/history/inspection/compare-backup.ts';
import { clusterWithLive, names, seedSnapshot, withEntries } from '../live-secret.ts';

/** How a snapshot differs from its backup once this annotation was added. */
function differencesWith(annotation: string): readonly string[] {
  const { cluster, live } = clusterWithLive();
  const snapshot = seedSnapshot(cluster, live, 1);
  const annotations = withEntries(snapshot.annotations, { [annotation]: 'x' });
  const [backup, now] = [snapshot, { ...snapshot, annotations }].map((one) =>
    stateOfObject(one, 'service.io'),
  );
  return backup === undefined || now === undefined ? ['none'] : differences([backup], [now]);
}

describe('the comparison with a backup', () => {
  it.each([
    names.historyChanges,
    names.historyReplacedBy,
    names.historyDeletionBegun,
    names.historyOrphanedAt,
    'example.com/foreign',
  ])('does not count %s: it says nothing about what a snapshot archives', (annotation) => {
    expect(differencesWith(annotation)).toEqual([]);
  });

  it.each([names.historyFinal, names.changeNote])('counts %s', (annotation) => {
    expect(differencesWith(annotation)).toEqual([
      expect.stringMatching(/: other contents under the same version$/),
    ]);
  });
});
