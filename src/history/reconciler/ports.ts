import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { SecretMetadataStore } from '../ports.ts';
import type { Rules, Step } from './decide.ts';
import type { IndexedHistory, IndexedSecret, Violation } from '../snapshot/indexed-secret.ts';

/** Called with problems and completed steps, for the log and for metrics. */
export interface ReconcilerObserver {
  /** Once per revision of the object. */
  inconsistent(object: IndexedHistory, violation: Violation): void;
  /** The cluster has accepted the step. */
  stepDone(step: Step['kind'], object: IndexedHistory): void;
  /** The step fails until the object changes. */
  stepFailed(step: Step['kind'], object: IndexedHistory, reason: string): void;
  /** Once for each time that the clocks begin to disagree. */
  clocksDisagree(): void;
  /** Orphans of a live Secret were not looked at, since the time is not known. */
  expiryPostponed(): void;
}

export interface ReconcilerDependencies extends Rules {
  readonly codec: Pick<AnnotationCodec, 'orphanedAt' | 'notFinal'>;
  /** The live Secret and the objects that claim to be its history, by key. */
  readonly indexed: (key: string) => readonly IndexedSecret[];
  readonly store: SecretMetadataStore;
  /** Checked before each write. The write ends before this time. */
  readonly remainingMs: () => number;
  readonly observer: ReconcilerObserver;
  /** The cluster's time: the age of orphans outlives replicas. Undefined until the first response of the cluster. */
  readonly clusterNow: () => number | undefined;
  /** The local clock, which only confirms the cluster's. */
  readonly wallNow: () => number;
}
