import { createNamespaceScope } from '../access/namespace-scope.ts';
import { createAudit } from '../api/http/audit.ts';
import { listen, type Listener } from '../api/http/listen.ts';
import { createOpsApp } from '../api/http/ops-app.ts';
import { createAnnotationCodec } from '../kube/annotation-codec.ts';
import { createCluster, type Cluster } from '../cluster/cluster.ts';
import { createLeaseStore } from '../cluster/stores/lease-store.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { requireSignInInPods, reportSigningKeys } from './auth-settings.ts';
import { clusterAnswers } from './cluster-probe.ts';
import { observeClusterCall } from './cluster-calls.ts';
import { createHttpApp } from './http.ts';
import {
  MAX_API_CONNECTIONS,
  MAX_OPS_CONNECTIONS,
  PROBE_TTL_MS,
  READINESS_LEAD_MS,
  STOP_DEADLINE_MS,
} from './limits.ts';
import { createCaches } from './caches.ts';
import { leasePlace } from '../history/lease-place.ts';
import { createHistoryController } from './history-controller.ts';
import { createRevocationsWatch } from './revocations.ts';
import { createPrefixGuard } from './prefix-guard.ts';
import { bypassReminder, listenerComponent, readinessDelay } from './components.ts';
import type { Settings } from '../config/settings.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { createLifecycle } from './lifecycle.ts';
import { standardOutput, type LogOutput } from '../observability/batched-output.ts';
import { auditLevel, createLogger, type LogDestination } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createReadiness, remembered } from '../observability/readiness.ts';
import { createStorageRestore } from './storage-restore.ts';
import { readVersion } from './version.ts';

export interface Service {
  start(): Promise<void>;
  /** Stops within a deadline, after the requests in progress. A second call joins the first. */
  stop(signal: string): Promise<void>;
  /** Resolves with an error after which the service must be stopped. */
  readonly failed: Promise<ServiceError>;
  /** The ports that it listens on, once started. */
  readonly ports: { readonly api: number; readonly ops: number };
}

/** What tests and tools replace. */
export interface Overrides {
  readonly cluster?: Cluster;
  readonly logDestination?: LogDestination;
  /** How long one attempt of a request to the cluster may take. */
  readonly clusterAttemptTimeoutMs?: number;
}

/**
 * Connects the modules. Nothing is started, connected or listened on yet.
 * @param environment where the cluster's credentials and its proxy are found, as by kubectl
 * @throws {ServiceError} `notConfigured` when no cluster is configured
 */
export function createService(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  overrides: Overrides = {},
): Service {
  const version = readVersion();
  const output = outputOf(overrides);
  const logger = createLogger(settings.logLevel, output.joined);
  const metrics = createMetrics(version);
  reportSigningKeys(settings, logger, metrics);
  const codec = createAnnotationCodec(settings.secrets.annotationPrefix);
  const cluster =
    overrides.cluster ??
    createCluster({
      credentials: loadCredentials({ kubeconfig: environment['KUBECONFIG'], environment }),
      policyName: settings.access.policyName,
      codec,
      onCall: (record) => {
        observeClusterCall(record, metrics, logger);
      },
      ...(overrides.clusterAttemptTimeoutMs === undefined
        ? {}
        : { attemptTimeoutMs: overrides.clusterAttemptTimeoutMs }),
    });

  requireSignInInPods(settings, cluster.home);
  const restore = createStorageRestore(metrics, logger);
  const revocations = createRevocationsWatch({ settings, cluster, logger, metrics, restore });
  const scope = createNamespaceScope(settings.access.namespaces);
  const place = leasePlace(scope.named, cluster.home);
  const lease = createLeaseStore(cluster.gateway, place.namespace, place.name);
  const failure = Promise.withResolvers<ServiceError>();
  const prefix = createPrefixGuard({
    prefix: settings.secrets.annotationPrefix,
    lease,
    place,
    onMismatch: failure.resolve,
    logger,
  });
  const caches = createCaches({ settings, scope, cluster, codec, prefix, logger, metrics, restore });
  const history = createHistoryController({
    settings,
    scope,
    cluster,
    codec,
    lease,
    prefix,
    logger,
    metrics,
    restore,
  });

  let stopping = false;
  const readiness = createReadiness(metrics.setReady, [
    { name: 'running', isReady: () => !stopping },
    remembered({ name: 'cluster', isReady: () => clusterAnswers(cluster) }, PROBE_TTL_MS),
    prefix.readiness,
    ...(caches === undefined ? [] : [caches.readiness]),
    ...(revocations === undefined ? [] : [revocations.readiness]),
  ]);
  const audit = createAudit(createLogger(auditLevel(settings.logLevel), output.atOnce));
  const app = createHttpApp({
    settings,
    scope,
    version,
    cluster,
    codec,
    prefix,
    caches,
    historyIndex: history.index,
    audit,
    logger,
    metrics,
    isRevoked: revocations?.isRevoked,
  });
  const listening = { host: settings.http.host, onRefused: metrics.bounds.countRefusal, logger };
  const listeners: { api?: Listener; ops?: Listener } = {};
  metrics.onExpose(() => {
    const { api, ops } = listeners;
    if (api !== undefined) metrics.bounds.setConnections({ port: 'api', ...api.connections() });
    if (ops !== undefined) metrics.bounds.setConnections({ port: 'operations', ...ops.connections() });
  });

  const lifecycle = createLifecycle(
    [
      { name: 'cluster', stop: () => cluster.close() },
      prefix.component,
      ...(caches === undefined ? [] : [caches.component]),
      ...(revocations === undefined ? [] : [revocations.component]),
      bypassReminder(settings.auth.disabled, logger, metrics),
      history.component,
      listenerComponent('operations', async () => {
        listeners.ops = await listen(createOpsApp(metrics, readiness), {
          ...listening,
          port: settings.http.opsPort,
          maxConnections: MAX_OPS_CONNECTIONS,
        });
        return listeners.ops;
      }),
      listenerComponent('api', async () => {
        listeners.api = await listen(app, {
          ...listening,
          port: settings.http.port,
          maxConnections: MAX_API_CONNECTIONS,
        });
        return listeners.api;
      }),
      readinessDelay(settings.production ? READINESS_LEAD_MS : 0, () => {
        stopping = true;
        listeners.api?.drain();
      }),
    ],
    STOP_DEADLINE_MS,
    logger,
  );

  return {
    failed: failure.promise,
    async start() {
      await lifecycle.start();
      logger.info('started', { version, port: listeners.api?.port ?? 0 });
    },
    async stop(signal) {
      logger.info('stopping', { signal });
      await lifecycle.stop();
      audit.close();
      logger.info('stopped');
    },
    get ports() {
      return { api: listeners.api?.port ?? 0, ops: listeners.ops?.port ?? 0 };
    },
  };
}

/**
 * One output for all lines, so that they keep their order: the audit line of a request comes before its `request` line.
 */
function outputOf({ logDestination }: Overrides): LogOutput {
  if (logDestination === undefined) return standardOutput();
  return { joined: logDestination, atOnce: logDestination };
}
