import {
  RULE_LISTS,
  rulesOf,
  type AccessRules,
  type RuleEdit,
  type RuleList,
} from '../contract/access-rules.ts';
import {
  annotationNames,
  FINAL,
  HISTORY_KIND,
  MANAGED_BY_SERVICE,
  type AnnotationNames,
} from './annotation-names.ts';
import { parseExpiry } from './expiry.ts';
import { createFinalCodec, parseDeletion } from './final-codec.ts';
import type { ManagedMetadata, SnapshotAnnotations, SnapshotMetadata } from './managed-metadata.ts';
import type { SecretDraft, SecretMetadata } from './secret.ts';
import { formatRuleList, parseRuleList, parseVersion, present, readCounter } from './annotation-values.ts';

/** What someone declares about the expiry of a Secret. Undefined keeps the stored value, the empty text removes it. */
export interface ExpiryEdit {
  readonly expiresAt?: string | undefined;
  readonly rotateEvery?: string | undefined;
}

/** What a write sets on a live Secret. Undefined keeps the stored value. */
export interface ManagedEdit extends RuleEdit, ExpiryEdit {
  readonly description: string | undefined;
  readonly version: number;
  /** Undefined or empty removes that of the former version. */
  readonly changeNote?: string | undefined;
  readonly lastModifiedBy: string;
  readonly lastModifiedAt: string;
  /** When the values last changed. Stored only once it matters: with a period of rotation. */
  readonly valuesChangedAt?: string | undefined;
}

/** Reads and writes the annotations and labels of the service under the configured prefix. */
export type AnnotationCodec = ReturnType<typeof createAnnotationCodec>;

type Texts = ReadonlyMap<string, string>;

export function createAnnotationCodec(prefix: string) {
  const names = annotationNames(prefix);
  return {
    ...createFinalCodec(names),
    parse: (object: Pick<SecretMetadata, 'labels' | 'annotations'>) => parse(object, names),
    /** All annotations of a live Secret after a write. Those of other owners stay unchanged. */
    edited: (stored: Texts, edit: ManagedEdit) => edited(stored, edit, names),
    /** The labels and annotations of a snapshot. */
    describe: (snapshot: SnapshotMetadata) => describe(snapshot, names),
    /** The annotation that a snapshot gets once its source has been replaced. */
    replacedBy: (resourceVersion: string): Texts => new Map([[names.historyReplacedBy, resourceVersion]]),
    /** The annotation that a snapshot of a live revision gets when a deletion of this revision begins. */
    deletionBegun: new Map([[names.historyDeletionBegun, 'true']]) as Texts,
    /** The annotation that records on a snapshot what its list of versions needs of its values. */
    historyChanges: (text: string): Texts => new Map([[names.historyChanges, text]]),
    /** The annotation that a snapshot gets when its live Secret is gone; undefined removes it. */
    orphanedAt: (time: Date | undefined): ReadonlyMap<string, string | undefined> =>
      new Map([[names.historyOrphanedAt, time?.toISOString()]]),
    /** Label selector of everything except snapshots. */
    liveSelector: `${names.kind}!=${HISTORY_KIND}`,
    /** Label selector of the snapshots of a live UID. */
    snapshotSelector: (uid: string) => `${names.kind}=${HISTORY_KIND},${names.historyUidLabel}=${uid}`,
    /** Label selector of the snapshots of a live UID, including those without the other label. */
    uidSelector: (uid: string) => `${names.historyUidLabel}=${uid}`,
  };
}

function parse(
  object: Pick<SecretMetadata, 'labels' | 'annotations'>,
  names: AnnotationNames,
): ManagedMetadata {
  const { annotations } = object;
  return {
    isManaged: annotations.get(names.managedBy) === MANAGED_BY_SERVICE,
    version: readCounter(annotations.get(names.version)),
    description: annotations.get(names.description) ?? '',
    ...parseRules(annotations, names),
    changeNote: noteIn(annotations.get(names.changeNote)),
    lastModifiedBy: annotations.get(names.lastModifiedBy),
    lastModifiedAt: annotations.get(names.lastModifiedAt),
    expiry: parseExpiry(annotations, names),
    snapshot: parseSnapshot(object, names),
  };
}

function parseRules(annotations: ReadonlyMap<string, string>, names: AnnotationNames): AccessRules {
  const lists = RULE_LISTS.map((list) => [list, parseRuleList(annotations.get(names[list]))]);
  return rulesOf(Object.fromEntries(lists) as Record<RuleList, readonly string[]>);
}

/** Twice the characters that a write may have: code units. */
const MAX_NOTE_LENGTH = 512;

/** One from elsewhere that is too long would leave no space on a snapshot. */
function noteIn(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= MAX_NOTE_LENGTH ? text : undefined;
}

/** Everything that claims to be history has at least one of these. */
function parseSnapshot(
  { labels, annotations }: Pick<SecretMetadata, 'labels' | 'annotations'>,
  names: AnnotationNames,
): SnapshotAnnotations | undefined {
  const { kind, historyUid, historyUidLabel, historyOf, historyFinal } = names;
  const isPresent = [kind, historyUid, historyOf].some((name) => annotations.has(name));
  if (!isPresent && !labels.has(kind) && !labels.has(historyUidLabel)) return undefined;
  const uid = annotations.get(historyUid);
  const wanted: readonly (readonly [string, string])[] = [
    [kind, HISTORY_KIND],
    [historyUidLabel, uid ?? ''],
    ...(annotations.get(historyFinal) === FINAL ? ([[historyFinal, FINAL]] as const) : []),
  ];
  return {
    kind: annotations.get(kind),
    kindLabel: labels.get(kind),
    of: annotations.get(historyOf),
    uid,
    uidLabel: labels.get(historyUidLabel),
    version: parseVersion(annotations.get(names.historyVersion)),
    sourceResourceVersion: annotations.get(names.historyResourceVersion),
    type: annotations.get(names.historyType),
    replacedBy: annotations.get(names.historyReplacedBy),
    orphanedAt: annotations.get(names.historyOrphanedAt),
    changes: annotations.get(names.historyChanges),
    deletion: parseDeletion(annotations, names),
    missingLabels: new Map(wanted.filter(([name]) => !labels.has(name))),
  };
}

function edited(
  stored: ReadonlyMap<string, string>,
  edit: ManagedEdit,
  names: AnnotationNames,
): ReadonlyMap<string, string> {
  const annotations = new Map(stored);
  const { description, changeNote = '' } = edit;
  if (description !== undefined) annotations.set(names.description, description);
  for (const list of RULE_LISTS) {
    const entries = edit[list];
    if (entries !== undefined) annotations.set(names[list], formatRuleList(entries));
  }
  const setOrRemove = (name: string, text: string | undefined): void => {
    if (text === '') annotations.delete(name);
    else if (text !== undefined) annotations.set(name, text);
  };
  setOrRemove(names.changeNote, changeNote);
  setOrRemove(names.expiresAt, edit.expiresAt);
  setOrRemove(names.rotateEvery, edit.rotateEvery);
  const isRotated = [names.rotateEvery, names.valuesChangedAt].some((name) => annotations.has(name));
  if (isRotated) setOrRemove(names.valuesChangedAt, edit.valuesChangedAt);
  annotations.set(names.managedBy, MANAGED_BY_SERVICE);
  annotations.set(names.version, String(edit.version));
  annotations.set(names.lastModifiedBy, edit.lastModifiedBy);
  annotations.set(names.lastModifiedAt, edit.lastModifiedAt);
  return annotations;
}

function describe(
  snapshot: SnapshotMetadata,
  names: AnnotationNames,
): Pick<SecretDraft, 'labels' | 'annotations'> {
  const annotations = present([
    [names.kind, HISTORY_KIND],
    [names.historyOf, snapshot.of],
    [names.historyUid, snapshot.uid],
    [names.historyVersion, String(snapshot.version)],
    [names.historyResourceVersion, snapshot.sourceResourceVersion],
    [names.historyType, snapshot.type],
    [names.changeNote, snapshot.changeNote],
    [names.lastModifiedBy, snapshot.lastModifiedBy],
    [names.lastModifiedAt, snapshot.lastModifiedAt],
  ]);
  const labels = new Map([
    [names.kind, HISTORY_KIND],
    [names.historyUidLabel, snapshot.uid],
  ]);
  return { labels, annotations };
}
