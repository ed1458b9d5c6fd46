import { HISTORY_KIND, type AnnotationNames } from '../../kube/annotation-names.ts';
import type { SecretData, SecretDraft, SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import { sameData } from './secret-data.ts';
import { hasSnapshotName, snapshotName } from './snapshot-name.ts';
import { parseVersion } from './version-counter.ts';

/** What the labels and annotations of a snapshot say, once all are present and agree with each other. */
export interface SnapshotMetadata {
  /** The live Secret that it archives. */
  readonly of: string;
  readonly uid: string;
  readonly version: number;
  /** The live revision that it archives. */
  readonly sourceResourceVersion: string;
  readonly type: string;
  readonly lastModifiedBy: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

/** A history object whose metadata is complete and consistent; its values need not have been read. */
export interface BoundMetadata extends SnapshotMetadata {
  readonly stored: SecretMetadata;
}

/** … and have been. */
export interface Snapshot extends BoundMetadata {
  readonly createdAt: string;
  readonly data: SecretData;
  readonly stored: StoredSecret;
}

/** What a reader finds wrong with an object that claims to be history. Named by the violation. */
export type Inconsistency =
  | 'kindLabelMissing'
  | 'kindAnnotationMissing'
  | 'uidLabelDisagrees'
  | 'liveNameMissing'
  | 'uidMissing'
  | 'versionMalformed'
  | 'sourceRevisionMissing'
  | 'typeMissing'
  | 'nameDisagrees';

/**
 * Whether an object claims to be history, and so is never a live Secret: by its label, by its annotation, or by the UID of
 * a live Secret together with a name of the form that snapshots have. What has lost its other annotations still holds the
 * values of a Secret whose access rules it does not carry.
 */
export function claimsToBeHistory(
  { name, annotations, labels }: Pick<StoredSecret, 'name' | 'labels' | 'annotations'>,
  names: AnnotationNames,
): boolean {
  if (annotations.get(names.kind) === HISTORY_KIND || labels.get(names.kind) === HISTORY_KIND) return true;
  return (annotations.has(names.historyUid) || labels.has(names.historyUidLabel)) && hasSnapshotName(name);
}

/** The object that archives `live` as `version`: its values byte for byte, immutable, without an owner. */
export function snapshotDraft(live: StoredSecret, version: number, names: AnnotationNames): SecretDraft {
  const annotations = new Map([
    [names.kind, HISTORY_KIND],
    [names.historyOf, live.name],
    [names.historyUid, live.uid],
    [names.historyVersion, String(version)],
    [names.historyResourceVersion, live.resourceVersion],
    [names.historyType, live.type],
  ]);
  for (const name of [names.lastModifiedBy, names.lastModifiedAt]) {
    const value = live.annotations.get(name);
    if (value !== undefined) annotations.set(name, value);
  }
  return {
    namespace: live.namespace,
    name: snapshotName(live.name, version, live.uid),
    type: 'Opaque',
    immutable: true,
    labels: new Map([
      [names.kind, HISTORY_KIND],
      [names.historyUidLabel, live.uid],
    ]),
    annotations,
    data: live.data,
  };
}

/** Whether the object is what was to be stored: every label, annotation and value, whatever else others have added. */
export function holds(
  stored: StoredSecret,
  { type, immutable, labels, annotations, data }: SecretDraft,
): boolean {
  const hasAll = (actual: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): boolean =>
    [...wanted].every(([key, text]) => actual.get(key) === text);
  return (
    stored.type === type &&
    stored.immutable === (immutable ?? false) &&
    hasAll(stored.labels, labels) &&
    hasAll(stored.annotations, annotations) &&
    sameData(stored.data, data)
  );
}

/** Reads a history object: bound when its metadata is complete and consistent, otherwise the first violation. */
export function readSnapshot(stored: StoredSecret, names: AnnotationNames): Snapshot | Inconsistency {
  const metadata = readMetadata(stored, names);
  if (typeof metadata === 'string') return metadata;
  return { ...metadata, createdAt: stored.creationTimestamp, data: stored.data, stored };
}

/** Reads the metadata of a history object, for which its values are not needed. */
export function readMetadata(
  { name, annotations, labels }: Pick<StoredSecret, 'name' | 'labels' | 'annotations'>,
  names: AnnotationNames,
): SnapshotMetadata | Inconsistency {
  const of = annotations.get(names.historyOf);
  const uid = annotations.get(names.historyUid);
  const version = parseVersion(annotations.get(names.historyVersion));
  const sourceResourceVersion = annotations.get(names.historyResourceVersion);
  const type = annotations.get(names.historyType);
  if (labels.get(names.kind) !== HISTORY_KIND) return 'kindLabelMissing';
  if (annotations.get(names.kind) !== HISTORY_KIND) return 'kindAnnotationMissing';
  if (of === undefined || of === '') return 'liveNameMissing';
  if (uid === undefined || uid === '') return 'uidMissing';
  if (labels.get(names.historyUidLabel) !== uid) return 'uidLabelDisagrees';
  if (version === undefined || version === 0) return 'versionMalformed';
  if (sourceResourceVersion === undefined || sourceResourceVersion === '') return 'sourceRevisionMissing';
  if (type === undefined) return 'typeMissing';
  if (name !== snapshotName(of, version, uid)) return 'nameDisagrees';
  return {
    of,
    uid,
    version,
    sourceResourceVersion,
    type,
    lastModifiedBy: annotations.get(names.lastModifiedBy),
    lastModifiedAt: annotations.get(names.lastModifiedAt),
  };
}

/** Whether a bound snapshot belongs to this very live object. */
export function archives(snapshot: BoundMetadata, live: StoredSecret): boolean {
  return (
    snapshot.uid === live.uid && snapshot.of === live.name && snapshot.stored.namespace === live.namespace
  );
}
