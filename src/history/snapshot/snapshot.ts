import { isSecretName, isUid } from '../../contract/names.ts';
import type { SnapshotMetadata } from '../../kube/managed-metadata.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import { HISTORY_KIND } from '../../kube/annotation-names.ts';
import { present } from '../../kube/annotation-values.ts';
import type {
  MetadataChange,
  SecretData,
  SecretDraft,
  SecretMetadata,
  StoredSecret,
} from '../../kube/secret.ts';
import { hash } from 'node:crypto';

/** A history object with complete and consistent metadata. Its values need not have been read. */
export interface BoundMetadata<Stored extends SecretMetadata = SecretMetadata> extends SnapshotMetadata {
  readonly stored: Stored;
}

/** A bound snapshot with its values. */
export type Snapshot = BoundMetadata<StoredSecret>;

/** The inconsistency of an object that claims to be history, named by the violation. */
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
 * Whether an object claims to be history, and so is never a live Secret: by its label, by its annotation, or by the UID
 * of a live Secret together with a name of the form that snapshots have. An object without its other annotations still
 * contains the values of a Secret, without its access rules.
 */
export function claimsToBeHistory({ name, managed }: Pick<SecretMetadata, 'name' | 'managed'>): boolean {
  const { snapshot } = managed;
  if (snapshot === undefined) return false;
  if (snapshot.kind === HISTORY_KIND || snapshot.kindLabel === HISTORY_KIND) return true;
  return (snapshot.uid !== undefined || snapshot.uidLabel !== undefined) && hasSnapshotName(name);
}

/** The object that archives `live` as `version`: its values byte for byte, immutable, without an owner. */
export function snapshotDraft(
  live: StoredSecret,
  version: number,
  codec: Pick<AnnotationCodec, 'describe'>,
): SecretDraft {
  const { namespace, name, uid, type, resourceVersion, managed, data } = live;
  const { changeNote, lastModifiedBy, lastModifiedAt } = managed;
  const written = { changeNote, lastModifiedBy, lastModifiedAt };
  return {
    namespace,
    name: snapshotName(name, version, uid),
    type: 'Opaque',
    immutable: true,
    ...codec.describe({ of: name, uid, version, sourceResourceVersion: resourceVersion, type, ...written }),
    data,
  };
}

/** Whether the object has every label, annotation and value of the draft, whatever others have added. */
export function holds(
  stored: StoredSecret,
  { type, immutable, labels, annotations, data }: SecretDraft,
): boolean {
  return (
    stored.type === type &&
    stored.immutable === (immutable ?? false) &&
    hasMetadata(stored, { labels, annotations }) &&
    sameData(stored.data, data)
  );
}

/** Whether an object has every label and annotation that was to be stored. */
export function hasMetadata(
  stored: Pick<SecretMetadata, 'labels' | 'annotations'>,
  { labels, annotations }: Pick<SecretDraft, 'labels' | 'annotations'>,
): boolean {
  const hasAll = (actual: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): boolean =>
    [...wanted].every(([key, text]) => actual.get(key) === text);
  return hasAll(stored.labels, labels) && hasAll(stored.annotations, annotations);
}

/** What is created where the change would otherwise be a patch. */
export function withMetadata(draft: SecretDraft, { labels, annotations }: MetadataChange): SecretDraft {
  return {
    ...draft,
    labels: present(new Map([...draft.labels, ...(labels ?? [])])),
    annotations: present(new Map([...draft.annotations, ...(annotations ?? [])])),
  };
}

/** Reads a history object: bound if its metadata is complete and consistent, otherwise the first violation. */
export function readSnapshot<Stored extends SecretMetadata>(
  stored: Stored,
): BoundMetadata<Stored> | Inconsistency {
  const metadata = readMetadata(stored);
  return typeof metadata === 'string' ? metadata : { ...metadata, stored };
}

/**
 * Reads the metadata of a history object, without its values. Returns the first violation if it is inconsistent.
 * @param withMissingLabels treats absent labels as if they were correct
 */
export function readMetadata(
  {
    name,
    managed: { snapshot, changeNote, lastModifiedBy, lastModifiedAt },
  }: Pick<SecretMetadata, 'name' | 'managed'>,
  { withMissingLabels = false } = {},
): SnapshotMetadata | Inconsistency {
  if (snapshot === undefined) return 'kindLabelMissing';
  const { kind, of, uid, version, sourceResourceVersion, type } = snapshot;
  const isLabel = (label: string | undefined, wanted: string) =>
    label === wanted || (withMissingLabels && label === undefined);
  if (!isLabel(snapshot.kindLabel, HISTORY_KIND)) return 'kindLabelMissing';
  if (kind !== HISTORY_KIND) return 'kindAnnotationMissing';
  if (of === undefined || !isSecretName(of)) return 'liveNameMissing';
  if (uid === undefined || !isUid(uid)) return 'uidMissing';
  if (!isLabel(snapshot.uidLabel, uid)) return 'uidLabelDisagrees';
  if (version === undefined || version === 0) return 'versionMalformed';
  // Responses have it in a header, and every replica keeps it.
  if (sourceResourceVersion === undefined || !/^[ -~]{1,64}$/.test(sourceResourceVersion))
    return 'sourceRevisionMissing';
  if (type === undefined) return 'typeMissing';
  if (name !== snapshotName(of, version, uid)) return 'nameDisagrees';
  return { of, uid, version, sourceResourceVersion, type, changeNote, lastModifiedBy, lastModifiedAt };
}

/** A live Secret, or one that no longer exists. */
export type LiveIdentity = Pick<StoredSecret, 'namespace' | 'name' | 'uid'>;

/** Whether a bound snapshot belongs to this live object. */
export function archives(snapshot: BoundMetadata, live: LiveIdentity): boolean {
  return (
    snapshot.uid === live.uid && snapshot.of === live.name && snapshot.stored.namespace === live.namespace
  );
}

const MAX_NAME = 253;

/**
 * The name of the snapshot of a UID and version: the live name for readability, the version, and a digest of the UID. A
 * recreated Secret has another UID, so its snapshots have other names.
 */
export function snapshotName(liveName: string, version: number, uid: string): string {
  const digest = hash('sha256', uid, 'hex').slice(0, 16);
  const suffix = `.v${version}.${digest}`;
  // A cut may end in the middle of a label, and a DNS label must not end with "-" or be empty.
  return `${withoutSeparatorsAtEnd(liveName.slice(0, MAX_NAME - suffix.length))}${suffix}`;
}

function withoutSeparatorsAtEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === '-' || name[end - 1] === '.') end--;
  return name.slice(0, end);
}

/** Whether a name has the form of snapshot names. */
export const hasSnapshotName = (name: string): boolean => /\.v[0-9]+\.[0-9a-f]{16}$/.test(name);

/** The number in the name, if it is the name of a snapshot of this Secret. */
export function versionNamed(
  name: string,
  live: { readonly name: string; readonly uid: string },
): number | undefined {
  const digits = /\.v([1-9][0-9]{0,15})\.[0-9a-f]{16}$/.exec(name)?.[1];
  const version = Number(digits);
  return Number.isSafeInteger(version) && name === snapshotName(live.name, version, live.uid)
    ? version
    : undefined;
}

/** Whether two sets of values are identical, key by key and byte by byte. */
export function sameData(one: SecretData, other: SecretData): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of one) {
    const counterpart = other.get(key);
    if (counterpart === undefined || Buffer.compare(value, counterpart) !== 0) return false;
  }
  return true;
}

/** The bytes of all values together, without the keys, as in the cluster's own limit. */
export function dataBytes(data: SecretData): number {
  let total = 0;
  for (const value of data.values()) total += value.byteLength;
  return total;
}
