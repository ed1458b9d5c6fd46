import { createNamespaceScope, type NamespaceScope } from '../access/namespace-scope.ts';
import { createAudit } from '../api/runner/audit.ts';
import { listen, type Listener, type ListenOptions } from '../server/listen.ts';
import { createOpsApp } from '../server/ops-app.ts';
import { createAnnotationCodec, type AnnotationCodec } from '../kube/annotation-codec.ts';
import { createCluster, type Cluster } from '../cluster/cluster.ts';
import { createLeaseStore } from '../cluster/stores/lease-store.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { requireSignInInPods, reportSigningKeys } from './auth-settings.ts';
import { clusterAnswers } from './cluster-probe.ts';
import { observeClusterCall } from './cluster-calls.ts';
import { createHttpApp } from './http.ts';
import {
  MAX_ADDRESS_CONNECTIONS,
  MAX_API_CONNECTIONS,
  MAX_OPS_CONNECTIONS,
  PROBE_TTL_MS,
  READINESS_LEAD_MS,
  STOP_DEADLINE_MS,
} from './limits.ts';
import { createCaches } from './caches.ts';
import { createPrefixGuard, leaseOf, type Installation } from '../history/reconciler/controller.ts';
import { createHistoryComponent } from './history-controller.ts';
import { createRevocationsWatch } from './revocations.ts';
import { bypassReminder, listenerComponent, readinessDelay } from './components.ts';
import type { Settings } from '../config/settings.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { createLifecycle } from './lifecycle.ts';
import type { CacheLimits } from './listed-secrets.ts';
import { standardOutput, type LogOutput } from '../observability/batched-output.ts';
import { auditLevel, createLogger, type LogDestination, type Logger } from '../observability/logger.ts';
import { countRefusals, createMetrics, exposeReady, type Metrics } from '../observability/metrics.ts';
import type { CreateTracing, Tracing } from '../observability/tracing/tracing.ts';
import { createReadiness, remembered } from '../observability/readiness.ts';
import { createSecretsWatch } from './secrets-watch.ts';
import { createStorageRestore } from './storage-restore.ts';
import { serverCertificate } from './server-certificate.ts';
import { callSpans, startTracing, tracingComponent } from './tracing.ts';
import { readVersion } from './version.ts';
import { createWaitingService } from './waiting-service.ts';

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
  /** What the Secrets of lists may take of the heap. */
  readonly cacheLimits?: CacheLimits;
  /** Where the settings have an endpoint for traces; loaded by the caller, so that it is not where they have none. */
  readonly createTracing?: CreateTracing | undefined;
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
  const metrics = createMetrics(version);
  const tracing = startTracing(settings, overrides.createTracing, {
    version,
    metrics,
    logger: createLogger(settings.logLevel, output.joined),
  });
  const ofContext = tracing === undefined ? undefined : () => ({ traceId: tracing.traceId() });
  const logger = createLogger(settings.logLevel, output.joined, ofContext);
  const base: ServiceBase = { settings, version, logger, metrics, tracing };
  reportSigningKeys(settings, logger, metrics);
  if (settings.missing.length > 0) return createWaitingService(base);
  const codec = createAnnotationCodec(settings.secrets.annotationPrefix);
  const cluster = overrides.cluster ?? clusterOf(base, codec, environment, overrides);
  requireSignInInPods(settings, cluster.home);
  const audit = createAudit(createLogger(auditLevel(settings.logLevel), output.atOnce, ofContext));
  const { failed, ...workers } = createWorkers(base, cluster, codec, overrides);
  const { lifecycle, listeners } = createServing(
    base,
    workers,
    createHttpApp({ ...base, ...workers, audit }),
  );

  return {
    failed,
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

/** What every component gets. */
interface ServiceBase {
  readonly settings: Settings;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

function clusterOf(
  { settings, logger, metrics, tracing }: ServiceBase,
  codec: AnnotationCodec,
  environment: Readonly<Record<string, string | undefined>>,
  { clusterAttemptTimeoutMs }: Overrides,
): Cluster {
  return createCluster({
    credentials: loadCredentials({ kubeconfig: environment['KUBECONFIG'], environment }),
    policyName: settings.access.policyName,
    codec,
    onCall: (record) => {
      observeClusterCall(record, metrics, logger);
    },
    ...(tracing === undefined ? {} : { startSpan: callSpans(tracing) }),
    ...(clusterAttemptTimeoutMs === undefined ? {} : { attemptTimeoutMs: clusterAttemptTimeoutMs }),
  });
}

/** The components that work on the cluster in the background, and what the API reads of them. */
function createWorkers(
  { settings, logger, metrics, tracing }: ServiceBase,
  cluster: Cluster,
  codec: AnnotationCodec,
  { cacheLimits }: Pick<Overrides, 'cacheLimits'>,
) {
  const restore = createStorageRestore(metrics, logger);
  const scope = createNamespaceScope(settings.access.namespaces);
  const revocations = createRevocationsWatch({ settings, cluster, logger, metrics, restore });
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
  const watched = { settings, scope, cluster, codec, prefix, logger, metrics, restore };
  const secrets = createSecretsWatch({ ...watched, cacheLimits });
  const shared = { ...watched, secrets };
  const caches = createCaches(shared);
  const { orphanTtlMs } = settings.secrets;
  const history = createHistoryComponent({ ...shared, installation, orphanTtlMs, lease, ownLease, tracing });
  return {
    failed: failure.promise,
    scope,
    cluster,
    codec,
    prefix,
    secretsWatch: secrets,
    caches,
    revocations,
    history,
    historyIndex: history.index,
    isRevoked: revocations?.isRevoked,
  };
}

function installationOf({ secrets }: Settings, { named, watched }: NamespaceScope): Installation {
  const without = watched.flatMap((scope) => (scope.namespace === undefined ? scope.without : []));
  return {
    prefix: secrets.annotationPrefix,
    scope: named === undefined ? { without } : { named },
    limit: secrets.historyLimit,
  };
}

/** The ports, the readiness, and the order in which everything starts; it stops in the opposite one. */
function createServing(
  { settings, logger, metrics, tracing }: ServiceBase,
  {
    cluster,
    prefix,
    secretsWatch,
    caches,
    revocations,
    history,
  }: Omit<ReturnType<typeof createWorkers>, 'failed'>,
  app: Parameters<typeof listen>[0],
) {
  let stopping = false;
  const checks = [
    { name: 'running', isReady: () => !stopping },
    remembered({ name: 'cluster', isReady: () => clusterAnswers(cluster) }, PROBE_TTL_MS),
    prefix.readiness,
    ...(caches === undefined ? [] : [caches.readiness]),
    ...(revocations === undefined ? [] : [revocations.readiness]),
  ];
  const readiness = createReadiness(exposeReady(metrics), checks, history.notes);
  const { listeners, listenOn } = createListeners(settings, logger, metrics);
  const { port, opsPort } = settings.http;
  const certificate = serverCertificate(settings, logger, metrics);
  const lifecycle = createLifecycle(
    [
      ...(tracing === undefined ? [] : [tracingComponent(tracing)]),
      certificate.component,
      { name: 'cluster', stop: () => cluster.close() },
      prefix.component,
      secretsWatch.component,
      ...(caches === undefined ? [] : [caches.component]),
      ...(revocations === undefined ? [] : [revocations.component]),
      bypassReminder(settings.auth.disabled, logger, metrics),
      history.component,
      listenerComponent('operations', () =>
        listenOn('ops', createOpsApp(metrics, readiness), {
          port: opsPort,
          maxConnections: MAX_OPS_CONNECTIONS,
        }),
      ),
      listenerComponent('api', () =>
        listenOn('api', app, {
          port,
          maxConnections: MAX_API_CONNECTIONS,
          maxPerAddress: MAX_ADDRESS_CONNECTIONS,
          certificate: certificate.current(),
        }),
      ),
      readinessDelay(settings.production ? READINESS_LEAD_MS : 0, () => {
        stopping = true;
        listeners.api?.drain();
      }),
    ],
    STOP_DEADLINE_MS,
    logger,
  );
  return { lifecycle, listeners };
}

interface Listeners {
  api?: Listener;
  ops?: Listener;
}

function createListeners({ http }: Settings, logger: Logger, metrics: Metrics) {
  const listeners: Listeners = {};
  metrics.onExpose(() => {
    const { api, ops } = listeners;
    if (api !== undefined) exposeConnections(metrics, 'api', api.connections());
    if (ops !== undefined) exposeConnections(metrics, 'operations', ops.connections());
  });
  const listenOn = async (
    name: keyof Listeners,
    app: Parameters<typeof listen>[0],
    limits: Pick<ListenOptions, 'port' | 'maxConnections' | 'maxPerAddress' | 'certificate'>,
  ): Promise<Listener> => {
    const onRefused = countRefusals(metrics);
    const listener = await listen(app, { host: http.host, onRefused, logger, ...limits });
    listeners[name] = listener;
    return listener;
  };
  return { listeners, listenOn };
}

function exposeConnections(
  metrics: Metrics,
  port: 'api' | 'operations',
  connections: ReturnType<Listener['connections']>,
): void {
  for (const state of ['idle', 'busy'] as const) {
    metrics.set('service_connections', connections[state], { port, state });
  }
}

/**
 * One output for all lines, so that they keep their order: the audit line of a request comes before its `request` line.
 */
function outputOf({ logDestination }: Overrides): LogOutput {
  if (logDestination === undefined) return standardOutput();
  return { joined: logDestination, atOnce: logDestination };
}
