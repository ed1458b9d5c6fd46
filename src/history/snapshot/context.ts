import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { SnapshotStore } from '../ports.ts';

/** What reading and writing of snapshots needs of its surroundings. */
export interface HistoryContext<Method extends keyof SnapshotStore> {
  readonly store: Pick<SnapshotStore, Method>;
  readonly codec: AnnotationCodec;
}
