import type { Deadline } from '../../timing/deadline.ts';
import type { SnapshotMetadata } from '../../kube/managed-metadata.ts';
import type { SecretMetadata, SecretRef, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { newestFirst } from '../snapshot/rank.ts';
import { toIndexed } from '../snapshot/indexed-secret.ts';
import { readMetadata, sameData, type Inconsistency } from '../snapshot/snapshot.ts';

/** The history of one live name for an operator, including what the API never shows. */
export interface Inspection {
  readonly ref: SecretRef;
  readonly live: StoredSecret | undefined;
  /** Newest first. Objects that do not state what they archive come last. */
  readonly objects: readonly InspectedObject[];
}

export interface InspectedObject {
  readonly stored: StoredSecret;
  /** Undefined when they are inconsistent. */
  readonly metadata: SnapshotMetadata | undefined;
  /** `bound`: history of the live Secret; `orphaned`: of one that is gone; `inconsistent`: unknown. */
  readonly state: 'bound' | 'orphaned' | 'inconsistent';
  readonly problems: readonly Problem[];
}

export interface InspectionSource {
  /** All Secrets of a namespace, without their values. */
  list(namespace: string, deadline: Deadline): Promise<readonly SecretMetadata[]>;
  readonly secrets: Pick<SnapshotStore, 'read'>;
}

/**
 * Inspects every object that is, or claims to be, history of a live name.
 * @throws {ServiceError} when the cluster cannot be read
 */
export async function inspectHistory(
  source: InspectionSource,
  ref: SecretRef,
  deadline: Deadline,
): Promise<Inspection> {
  const live = await source.secrets.read(ref, deadline);
  const all = await source.list(ref.namespace, deadline);
  const objects: InspectedObject[] = [];
  for (const metadata of all.filter((one) => concerns(one, ref.name, live?.uid))) {
    const stored = await source.secrets.read(metadata, deadline);
    if (stored !== undefined) objects.push(inspect(stored, live));
  }
  const agedOf = ({ stored: { managed } }: InspectedObject) => ({
    version: managed.snapshot?.version ?? -1,
    sourceResourceVersion: managed.snapshot?.sourceResourceVersion ?? '',
  });
  return { ref, live, objects: newestFirst(objects, agedOf) };
}

/** Any of these is enough: the archived name, the UID, or a name in the form of snapshots. */
function concerns(object: SecretMetadata, name: string, liveUid: string | undefined): boolean {
  const indexed = toIndexed(object);
  if (indexed.kind === 'live') return false;
  return (
    object.managed.snapshot?.of === name ||
    (liveUid !== undefined && indexed.claimedUid === liveUid) ||
    (object.name.startsWith(`${name}.v`) && /^[0-9]+\.[0-9a-f]{16}$/.test(object.name.slice(name.length + 2)))
  );
}

function inspect(stored: StoredSecret, live: StoredSecret | undefined): InspectedObject {
  const metadata = readMetadata(stored);
  const problems = findProblems(stored, live);
  if (typeof metadata === 'string') return { stored, metadata: undefined, state: 'inconsistent', problems };
  return { stored, metadata, state: metadata.uid === live?.uid ? 'bound' : 'orphaned', problems };
}

/** What is wrong with a history object, named by the violation. docs/history.md explains what to do. */
export type Problem =
  | Inconsistency
  | 'typeNotOpaque'
  | 'notImmutable'
  | 'belongsToAnotherName'
  /** It archives the revision that is live, with other values. */
  | 'valuesDisagree'
  /** The live counter is not above its number, and it archives another state: an admin must recover the counter. */
  | 'nextUpdateCollides';

/** Recomputes everything that a snapshot states about itself. */
export function findProblems(stored: StoredSecret, live: StoredSecret | undefined): readonly Problem[] {
  const metadata = readMetadata(stored);
  return [
    ...(typeof metadata === 'string' ? [metadata] : []),
    ...(stored.type === 'Opaque' ? [] : ['typeNotOpaque' as const]),
    ...(stored.immutable ? [] : ['notImmutable' as const]),
    ...(typeof metadata === 'string' || live === undefined ? [] : besideLive(stored, metadata, live)),
  ];
}

function besideLive(
  stored: StoredSecret,
  metadata: SnapshotMetadata,
  live: StoredSecret,
): readonly Problem[] {
  if (metadata.uid !== live.uid) return [];
  if (metadata.of !== live.name) return ['belongsToAnotherName'];
  const ofThisRevision = metadata.sourceResourceVersion === live.resourceVersion;
  if (ofThisRevision) return sameData(stored.data, live.data) ? [] : ['valuesDisagree'];
  return metadata.version >= live.managed.version ? ['nextUpdateCollides'] : [];
}
