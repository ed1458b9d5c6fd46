import { describe, expect, it } from 'vitest';
import { annotationNames } from '../../../src/kube/annotation-names.ts';
import { createAnnotationCodec } from '../../../src/kube/annotation-codec.ts';

const codec = createAnnotationCodec('secrets.example.org');
const NAMES = annotationNames('secrets.example.org');
const NOTHING = { labels: new Map<string, string>(), annotations: new Map<string, string>() };

const SNAPSHOT = {
  of: 'db',
  uid: 'u-1',
  version: 7,
  sourceResourceVersion: '77',
  type: 'Opaque',
  lastModifiedBy: 'dev@example.com',
  lastModifiedAt: '2026-01-01T00:00:00.000Z',
};

describe('the annotation codec', () => {
  it('reads an object without any annotation as an adopted Secret', () => {
    expect(codec.parse(NOTHING)).toEqual({
      isManaged: false,
      version: 1,
      description: '',
      allowedGroups: [],
      allowedUsers: [],
      lastModifiedBy: undefined,
      lastModifiedAt: undefined,
      snapshot: undefined,
    });
  });

  it('reads what it has written onto a live Secret', () => {
    const edit = {
      description: 'the database',
      allowedGroups: ['a', 'b'],
      allowedUsers: [],
      version: 4,
      lastModifiedBy: 'dev@example.com',
      lastModifiedAt: '2026-01-01T00:00:00.000Z',
    };
    const annotations = codec.edited(new Map(), edit);
    expect(codec.parse({ ...NOTHING, annotations })).toEqual({
      ...edit,
      isManaged: true,
      snapshot: undefined,
    });
  });

  it('reads what it has written onto a snapshot', () => {
    const described = codec.describe(SNAPSHOT);
    const { snapshot, ...rest } = codec.parse(described);
    const { lastModifiedBy, lastModifiedAt, ...own } = SNAPSHOT;
    expect(rest).toMatchObject({ lastModifiedBy, lastModifiedAt, isManaged: false });
    expect(snapshot).toEqual({
      ...own,
      kind: 'history',
      kindLabel: 'history',
      uidLabel: 'u-1',
      replacedBy: undefined,
      orphanedAt: undefined,
      missingLabels: new Map(),
    });
    const annotations = new Map([...described.annotations, ...codec.replacedBy('78')]);
    expect(codec.parse({ ...described, annotations }).snapshot?.replacedBy).toBe('78');
  });

  it('names the labels that a snapshot has lost, and none that says something else', () => {
    const { annotations } = codec.describe(SNAPSHOT);
    const labels = new Map([[NAMES.kind, 'other']]);
    expect(codec.parse({ labels, annotations }).snapshot?.missingLabels).toEqual(
      new Map([[NAMES.historyUidLabel, 'u-1']]),
    );
  });

  it.each([
    ['the kind label', { labels: [[NAMES.kind, 'x']], annotations: [] }],
    ['the UID label', { labels: [[NAMES.historyUidLabel, 'x']], annotations: [] }],
    ['the kind', { labels: [], annotations: [[NAMES.kind, 'x']] }],
    ['the UID', { labels: [], annotations: [[NAMES.historyUid, '']] }],
    ['the live name', { labels: [], annotations: [[NAMES.historyOf, 'x']] }],
  ] as const)('reads a trace of history: %s', (_what, { labels, annotations }) => {
    const object = {
      labels: new Map<string, string>(labels),
      annotations: new Map<string, string>(annotations),
    };
    expect(codec.parse(object).snapshot).toBeDefined();
  });

  it('sets the time of an orphan, and removes it', () => {
    const time = new Date('2026-01-01T00:00:00Z');
    expect([...codec.orphanedAt(time)]).toEqual([[NAMES.historyOrphanedAt, '2026-01-01T00:00:00.000Z']]);
    expect([...codec.orphanedAt(undefined)]).toEqual([[NAMES.historyOrphanedAt, undefined]]);
  });

  it('selects live Secrets, snapshots, and snapshots that have lost a label', () => {
    expect(codec.liveSelector).toBe('secrets.example.org/kind!=history');
    expect(codec.snapshotSelector('u')).toBe(
      'secrets.example.org/kind=history,secrets.example.org/history-uid=u',
    );
    expect(codec.uidSelector('u')).toBe('secrets.example.org/history-uid=u');
  });
});
