import type { EventEmitter } from 'node:events';
import type { NamespaceScope } from '../access/namespace-scope.ts';
import type { SecretRecord } from '../caches/secret-table.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Settings } from '../config/settings.ts';
import type { PrefixGuard } from '../history/reconciler/controller.ts';
import type { Change } from '../informers/object-store.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';

/** What every part of the service gets. */
export interface ServiceBase {
  readonly settings: Settings;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

/** What watches report to the parts behind them. */
export interface WatchEvents {
  /** The cluster's storage was restored from a backup, whichever watch notices it first: forget what was kept of it. */
  restored: [];
  /** A Secret object, live or history, has changed, which is stored already. */
  secret: [change: Change<SecretRecord>];
  /** The list of a namespace has changed, and what the Secrets took that were replaced or removed. */
  list: [namespace: string, removedBytes: number];
}

/** What the parts that use the cluster get. */
export interface ServiceParts extends ServiceBase {
  readonly cluster: Cluster;
  readonly codec: AnnotationCodec;
  readonly scope: NamespaceScope;
  /** No Secret is listed, watched or written before it has settled. */
  readonly prefix: PrefixGuard;
  readonly events: EventEmitter<WatchEvents>;
}
