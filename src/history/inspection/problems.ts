import type { StoredSecret } from '../../kube/secret.ts';
import { sameData } from '../snapshot/secret-data.ts';
import { readMetadata, type Inconsistency, type SnapshotMetadata } from '../snapshot/snapshot.ts';

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
