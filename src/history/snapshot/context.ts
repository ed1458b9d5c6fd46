import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { SnapshotStore } from '../ports.ts';

/** The dependencies of reading and writing snapshots. */
export interface HistoryContext<Method extends keyof SnapshotStore> {
  readonly store: Pick<SnapshotStore, Method>;
  readonly codec: AnnotationCodec;
}
