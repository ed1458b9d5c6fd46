import { createNamespaceScope, type NamespaceScope } from '../access/namespace-scope.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createLeaseStore } from '../cluster/stores/lease-store.ts';
import type { Settings } from '../config/settings.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { createPrefixGuard, leaseOf, type Installation } from '../history/reconciler/controller.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { createCaches } from './caches.ts';
import { createHistoryComponent } from './history-controller.ts';
import { createStorageRestore, type ServiceBase, type ServiceParts } from './parts.ts';
import { createRevocationsWatch } from './revocations.ts';
import { createSecretsWatch, type CacheLimits } from './secrets-watch.ts';

/** What works on the cluster in the background, with the parts that it uses. */
export type Workers = ReturnType<typeof createWorkers>;

/** @param cacheLimits by default, of the heap of this process */
export function createWorkers(
  base: ServiceBase,
  cluster: Cluster,
  codec: AnnotationCodec,
  cacheLimits?: CacheLimits,
) {
  const { settings, logger } = base;
  const scope = createNamespaceScope(settings.access.namespaces);
  const installation = installationOf(settings, scope);
  const ownLease = leaseOf(installation.scope, cluster.home);
  // One for the whole cluster may look for others everywhere.
  const listed = scope.named === undefined ? undefined : ownLease.namespace;
  const lease = createLeaseStore(cluster.gateway, ownLease, listed);
  const failure = Promise.withResolvers<ServiceError>();
  const prefix = createPrefixGuard({
    prefix: installation.prefix,
    lease,
    of: ownLease,
    onMismatch: failure.resolve,
    logger,
  });
  const parts: ServiceParts = { ...base, cluster, codec, scope, prefix, restore: createStorageRestore(base) };
  const revocations = createRevocationsWatch(parts);
  const secretsWatch = createSecretsWatch(parts, cacheLimits);
  const caches = createCaches(parts, secretsWatch);
  const history = createHistoryComponent(parts, secretsWatch, { installation, lease, ownLease });
  /** `failed` resolves with an error after which the service must be stopped. */
  return { ...parts, revocations, secretsWatch, caches, history, failed: failure.promise };
}

function installationOf({ secrets }: Settings, { named, watched }: NamespaceScope): Installation {
  const without = watched.flatMap((scope) => (scope.namespace === undefined ? scope.without : []));
  return {
    prefix: secrets.annotationPrefix,
    scope: named === undefined ? { without } : { named },
    limit: secrets.historyLimit,
  };
}
