import { createHash, type Hash } from 'node:crypto';
import { annotationNames } from '../../kube/annotation-names.ts';
import type { SecretRef, StoredSecret } from '../../kube/secret.ts';

/** What is compared of a Secret object, live or of the history: digests in place of values. */
export interface ObjectState extends SecretRef {
  readonly uid: string;
  /** The counter of a live Secret. */
  readonly version: number;
  /** Of type, values, and what the service has written about them. */
  readonly digest: string;
}

/**
 * @param prefix that of the service's annotations and labels; others are left out, since controllers change them, and so is
 *   what is noted on a snapshot when it is listed, replaced or orphaned
 */
export function stateOfObject(secret: StoredSecret, prefix: string): ObjectState {
  const { namespace, name, uid, type, immutable, data, annotations, labels, managed } = secret;
  const names = annotationNames(prefix);
  const addedLater = [
    names.historyChanges,
    names.historyReplacedBy,
    names.historyDeletionBegun,
    names.historyOrphanedAt,
  ];
  const hash = createHash('sha256');
  add(hash, [type, String(immutable)]);
  for (const key of [...data.keys()].sort()) add(hash, [key, data.get(key) ?? '']);
  for (const texts of [annotations, labels]) {
    const own = [...texts]
      .filter(([key]) => key.startsWith(`${prefix}/`) && !addedLater.includes(key))
      .sort();
    for (const entry of own) add(hash, entry);
  }
  return { namespace, name, uid, version: managed.version, digest: hash.digest('base64') };
}

/** Each part with its length, so that no two lists of parts look alike. */
function add(hash: Hash, parts: readonly (string | Uint8Array)[]): void {
  for (const part of parts) {
    const bytes = Buffer.from(part);
    hash.update(`${bytes.length}:`).update(bytes);
  }
}

/** One line for each object that the backup and the cluster do not have alike, in the order of names. */
export function differences(
  backup: readonly ObjectState[],
  cluster: readonly ObjectState[],
): readonly string[] {
  const [kept, now] = [byName(backup), byName(cluster)];
  const names = [...new Set([...kept.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => {
    const difference = differenceOf(kept.get(name), now.get(name));
    return difference === undefined ? [] : [`${name}: ${difference}`];
  });
}

const byName = (states: readonly ObjectState[]): ReadonlyMap<string, ObjectState> =>
  new Map(states.map((state) => [`${state.namespace}/${state.name}`, state]));

function differenceOf(kept: ObjectState | undefined, now: ObjectState | undefined): string | undefined {
  if (now === undefined) return 'missing in the cluster';
  if (kept === undefined) return 'not in the backup';
  const isSame = kept.digest === now.digest;
  if (kept.uid !== now.uid)
    return `another object (UID), ${isSame ? 'with the same' : 'with other'} contents`;
  if (kept.version !== now.version)
    return `version ${kept.version} in the backup, ${now.version} in the cluster`;
  return isSame ? undefined : 'other contents under the same version';
}
