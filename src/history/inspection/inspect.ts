import type { Deadline } from '../../timing/deadline.ts';
import type { SnapshotMetadata } from '../../kube/managed-metadata.ts';
import type { SecretMetadata, SecretRef, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { NO_BUDGET } from '../../kube/page-sizes.ts';
import { listSelected } from '../snapshot/inventory.ts';
import { newestFirst } from '../snapshot/rank.ts';
import { toIndexed } from '../snapshot/indexed-secret.ts';
import {
  claimsToBeHistory,
  readMetadata,
  sameData,
  versionNamed,
  type Inconsistency,
} from '../snapshot/snapshot.ts';

/** The history of one live name for an operator, including what the API never shows. */
export interface Inspection {
  readonly ref: SecretRef;
  readonly live: StoredSecret | undefined;
  /** Newest first. Objects that do not state what they archive come last. */
  readonly objects: readonly InspectedObject[];
}

export interface InspectedObject {
  /** Without the values: a history may have a thousand versions of a megabyte. */
  readonly stored: Omit<StoredSecret, 'data' | 'native'>;
  /** With the sizes of their values. */
  readonly keys: string;
  /** Undefined unless the object is consistent history. */
  readonly metadata: SnapshotMetadata | undefined;
  /** `bound`: history of the live Secret; `orphaned`: of one that is gone; `inconsistent`: unknown; `other`: no history. */
  readonly state: 'bound' | 'orphaned' | 'inconsistent' | 'other';
  readonly problems: readonly Problem[];
}

/**
 * Inspects every object that is, or claims to be, history of a live name, or has the name of its next snapshot.
 * @throws {ServiceError} when the cluster cannot be read
 */
export async function inspectHistory(
  store: Pick<SnapshotStore, 'read' | 'listMetadata'>,
  ref: SecretRef,
  deadline: Deadline,
): Promise<Inspection> {
  const live = await store.read(ref, deadline);
  const everything = { namespace: ref.namespace, labelSelector: '', budget: NO_BUDGET };
  const { items } = await listSelected(store, everything, deadline, (one) =>
    concerns(one, ref.name, live) ? one : undefined,
  );
  const objects: InspectedObject[] = [];
  for (const metadata of items.filter((one) => one !== undefined)) {
    const stored = await store.read(metadata, deadline);
    if (stored !== undefined) objects.push(inspect(stored, live));
  }
  const agedOf = ({ stored: { managed } }: InspectedObject) => ({
    version: managed.snapshot?.version ?? -1,
    sourceResourceVersion: managed.snapshot?.sourceResourceVersion ?? '',
  });
  return { ref, live, objects: newestFirst(objects, agedOf) };
}

/** Any of these is enough: the archived name, the UID, or a name in the form of snapshots; of other objects, the next one. */
function concerns(object: SecretMetadata, name: string, live: StoredSecret | undefined): boolean {
  const indexed = toIndexed(object);
  if (indexed.kind === 'live')
    return live !== undefined && versionNamed(object.name, live) === live.managed.version;
  return (
    object.managed.snapshot?.of === name ||
    (live !== undefined && indexed.claimedUid === live.uid) ||
    (object.name.startsWith(`${name}.v`) && /^[0-9]+\.[0-9a-f]{16}$/.test(object.name.slice(name.length + 2)))
  );
}

function inspect(object: StoredSecret, live: StoredSecret | undefined): InspectedObject {
  const { data, native: _native, ...stored } = object;
  const metadata = readMetadata(stored);
  const keys = [...data].map(([key, value]) => `${key} (${value.byteLength} bytes)`).join(', ');
  const found = { stored, keys, problems: findProblems(object, metadata, live) };
  if (!claimsToBeHistory(object)) return { ...found, metadata: undefined, state: 'other' };
  if (typeof metadata === 'string') return { ...found, metadata: undefined, state: 'inconsistent' };
  return { ...found, metadata, state: metadata.uid === live?.uid ? 'bound' : 'orphaned' };
}

/** What is wrong with an object, named by the violation. docs/history.md explains what to do. */
export type Problem =
  | Inconsistency
  | 'typeNotOpaque'
  | 'notImmutable'
  | 'belongsToAnotherName'
  /** It archives the revision that is live, with other values. */
  | 'valuesDisagree'
  /** The next update cannot archive the live state, because of its name or number: an admin must recover the counter. */
  | 'nextUpdateCollides';

/** Recomputes everything that a snapshot states about itself. */
function findProblems(
  stored: StoredSecret,
  metadata: SnapshotMetadata | Inconsistency,
  live: StoredSecret | undefined,
): readonly Problem[] {
  if (!claimsToBeHistory(stored)) return ['nextUpdateCollides'];
  const problems: Problem[] = typeof metadata === 'string' ? [metadata] : [];
  if (stored.type !== 'Opaque') problems.push('typeNotOpaque');
  if (!stored.immutable) problems.push('notImmutable');
  if (typeof metadata === 'string' || metadata.uid !== live?.uid) return problems;
  if (metadata.of !== live.name) return [...problems, 'belongsToAnotherName'];
  const isOfLiveState = metadata.sourceResourceVersion === live.resourceVersion;
  if (isOfLiveState && !sameData(stored.data, live.data)) problems.push('valuesDisagree');
  // An attempt that failed has left the live state under the live counter, a recovery that failed under a higher number.
  const ahead = metadata.version - live.managed.version;
  if (ahead > 0 || (ahead === 0 && !isOfLiveState)) problems.push('nextUpdateCollides');
  return problems;
}
