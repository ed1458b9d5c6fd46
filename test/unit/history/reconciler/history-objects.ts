import { parsed } from '../../../fakes/annotations.ts';
import { annotationNames } from '../../../../src/kube/annotation-names.ts';
import type { SecretMetadata } from '../../../../src/kube/secret.ts';
import {
  isSnapshot,
  toIndexed,
  type IndexedSecret,
  type IndexedSnapshot,
} from '../../../../src/history/snapshot/indexed-secret.ts';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';

export const NAMES = annotationNames('service.io');
export const UID = '5f6d1c1e-0000-4000-8000-00000000cafe';

/** A snapshot's metadata, with all its labels and annotations, unless changed. */
export function snapshotObject(version: number, more: Partial<SecretMetadata> = {}): SecretMetadata {
  return parsed({
    namespace: 'team-a',
    name: snapshotName('db', version, UID),
    uid: `uid-of-v${version}`,
    resourceVersion: String(100 + version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: undefined,
    labels: new Map([
      [NAMES.kind, 'history'],
      [NAMES.historyUidLabel, UID],
    ]),
    annotations: new Map([
      [NAMES.kind, 'history'],
      [NAMES.historyOf, 'db'],
      [NAMES.historyUid, UID],
      [NAMES.historyVersion, String(version)],
      [NAMES.historyResourceVersion, '77'],
      [NAMES.historyType, 'Opaque'],
    ]),
    ...more,
  });
}

/** A map without some keys, and with some changed. */
export function changed(
  texts: ReadonlyMap<string, string>,
  change: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const copy = new Map(texts);
  for (const [key, text] of Object.entries(change)) {
    if (text === undefined) copy.delete(key);
    else copy.set(key, text);
  }
  return copy;
}

/** An object as it is indexed, with the annotations that it has by now. */
export function indexedSecret(object: SecretMetadata): IndexedSecret {
  return toIndexed(parsed(object));
}

/** A snapshot as it is indexed; fails for one that is inconsistent. */
export function indexed(object: SecretMetadata): IndexedSnapshot {
  const history = indexedSecret(object);
  if (history.kind === 'history' && isSnapshot(history)) return history;
  throw new Error('the object is no consistent snapshot');
}

/** A snapshot whose orphaned-at annotation says `at`. */
export function orphanedSince(version: number, at: string): SecretMetadata {
  const object = snapshotObject(version);
  return parsed({ ...object, annotations: changed(object.annotations, { [NAMES.historyOrphanedAt]: at }) });
}
