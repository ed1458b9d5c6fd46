import { describe, expect, it } from 'vitest';
import { annotationNames } from '../../../src/kube/annotation-names.ts';
import { AnnotationCodec } from '../../../src/kube/annotation-codec.ts';
import type { MetadataChange } from '../../../src/kube/secret.ts';

const codec = new AnnotationCodec('secrets.example.org');
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

  it('reads and writes each list under its own annotation, and leaves out empty ones of writers and readers', () => {
    const edit = { description: undefined, version: 1, lastModifiedBy: 'a', lastModifiedAt: 'b' };
    for (const [list, name] of [
      ['writerGroups', 'secrets.example.org/writer-groups'],
      ['writerUsers', 'secrets.example.org/writer-users'],
      ['readerGroups', 'secrets.example.org/reader-groups'],
      ['readerUsers', 'secrets.example.org/reader-users'],
    ] as const) {
      const annotations = codec.edited(new Map(), { ...edit, [list]: ['a', 'b c'] });
      expect(annotations.get(name)).toBe('a,b c');
      expect(codec.parse({ labels: new Map(), annotations })).toMatchObject({ [list]: ['a', 'b c'] });
      const cleared = codec.edited(annotations, { ...edit, [list]: [] });
      expect(cleared.get(name)).toBe('');
      expect(codec.parse({ labels: new Map(), annotations: cleared })).not.toHaveProperty(list);
      expect(codec.edited(annotations, edit).get(name)).toBe('a,b c');
    }
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

describe('what only the final snapshot of a deleted Secret has', () => {
  const NAMES = annotationNames('service.io');
  const CODEC = new AnnotationCodec('service.io');
  const DELETION = { by: 'dev@example.com', at: '2026-01-01T00:00:00.000Z', keys: 'a,b=' };
  const dated = {
    resourceVersion: '7',
    creationTimestamp: '2026-01-01T00:00:00Z',
    managed: CODEC.parse({ labels: new Map(), annotations: new Map() }),
  };
  const live = {
    ...dated,
    annotations: new Map([
      [NAMES.description, 'd'],
      [NAMES.allowedGroups, 'a'],
      ['example.com/foreign', 'x'],
    ]),
  };
  const stored = (change: MetadataChange) => ({
    labels: new Map(
      [...(change.labels ?? [])].flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
    ),
    annotations: new Map([
      [NAMES.kind, 'history'],
      ...[...(change.annotations ?? [])].flatMap(([key, text]) =>
        text === undefined ? [] : [[key, text] as const],
      ),
    ]),
  });

  it('is read as it was written, with the live description and access rules and nothing else of the source', () => {
    const final = stored(CODEC.final(live, DELETION));
    const parsed = CODEC.parse(final);
    expect(parsed.snapshot?.deletion).toEqual({ ...DELETION, accepted: false });
    expect(parsed).toMatchObject({ description: 'd', allowedGroups: ['a'], allowedUsers: [] });
    expect(final.annotations.has('example.com/foreign')).toBe(false);
  });

  it('takes over the lists of writers and readers', () => {
    const lists = {
      writerGroups: ['w'],
      writerUsers: ['w@x'],
      readerGroups: ['r', 's'],
      readerUsers: ['r@x'],
    };
    const annotations = CODEC.edited(new Map(), {
      ...{ description: undefined, version: 1, lastModifiedBy: 'a', lastModifiedAt: 'b' },
      ...lists,
    });
    expect(CODEC.parse(stored(CODEC.final({ ...dated, annotations }, DELETION)))).toMatchObject(lists);
  });

  it.each([
    ['the source was replaced', [[NAMES.historyReplacedBy, '9']]],
    ['another value', [[NAMES.historyFinal, 'yes']]],
  ] as const)('does not count with %s', (_what, more) => {
    const { labels, annotations } = stored(CODEC.final(live, DELETION));
    const changed = { labels, annotations: new Map([...annotations, ...more]) };
    expect(CODEC.parse(changed).snapshot?.deletion).toBeUndefined();
  });

  it('is removed completely', () => {
    const written = CODEC.final(live, DELETION);
    const accepted = [...CODEC.deletionAccepted.keys()];
    const removed = new Set([...CODEC.notFinal.annotations.keys()]);
    for (const name of [...written.annotations.keys(), ...accepted]) expect(removed).toContain(name);
    expect([...CODEC.notFinal.labels.keys()]).toEqual([...written.labels.keys()]);
  });

  it('is selected by labels', () => {
    expect(CODEC.finalSelector).toBe('service.io/kind=history,service.io/history-final=true');
  });
});
