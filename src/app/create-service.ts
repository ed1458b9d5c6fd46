import { createNamespaceScope } from '../access/namespace-scope.ts';
import { createAudit } from '../api/http/audit.ts';
import { listen, type Listener } from '../api/http/listen.ts';
import { createOpsApp } from '../api/http/ops-app.ts';
import { formerKeyProblem, readSigningKey } from '../auth/session/signing-key.ts';
import { startDeadline } from '../timing/deadline.ts';
import type { CallRecord } from '../cluster/transport/call-record.ts';
import { createAnnotationCodec } from '../kube/annotation-codec.ts';
import { createCluster, type Cluster } from '../cluster/cluster.ts';
import { createLeaseStore } from '../cluster/stores/lease-store.ts';
import { loadCredentials, type ClusterHome } from '../cluster/credentials/credentials.ts';
import { createHttpApp } from './http.ts';
import { createCaches } from './caches.ts';
import { leasePlace } from '../history/lease-place.ts';
import { createHistoryController } from './history-controller.ts';
import { createRevocationsWatch } from './revocations.ts';
import { createPrefixGuard } from './prefix-guard.ts';
import { bypassReminder, listenerComponent, readinessDelay } from './components.ts';
import type { Settings } from '../config/settings.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createLifecycle } from './lifecycle.ts';
import { outcomeLabel } from '../observability/cluster-outcome.ts';
import { standardOutput, type LogOutput } from '../observability/batched-output.ts';
import { auditLevel, createLogger, type LogDestination, type Logger } from '../observability/logger.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createReadiness, remembered } from '../observability/readiness.ts';
import { createStorageRestore } from './storage-restore.ts';
import { readVersion } from './version.ts';

/** Within the usual grace period of 30 seconds, with time left for the process to end. */
const STOP_DEADLINE_MS = 25_000;
/**
 * How long readiness fails, in production, before connections are refused. Ingress controllers check only every few
 * seconds, and all of them must have noticed.
 */
const READINESS_LEAD_MS = 5_000;
/**
 * Ingress controllers keep a few hundred idle connections open, and unused ones are closed for new ones. Each costs
 * some 20 KiB.
 */
const MAX_API_CONNECTIONS = 1_000;
/** The kubelet's probes and a few scrapers. */
const MAX_OPS_CONNECTIONS = 64;
const PROBE_BUDGET_MS = 3_000;
const PROBE_TTL_MS = 2_000;

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
  const { auth } = settings;
  judgeFormerKey(settings, logger, metrics);
  metrics.setSigningKeyValid(auth.disabled || readSigningKey(auth.sessionSecret).problem === undefined);
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
    remembered({ name: 'cluster', isReady: () => answers(cluster) }, PROBE_TTL_MS),
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

/** An invalid former key counts as none, which ends the sessions that it signed, so it is logged. */
function judgeFormerKey({ auth }: Settings, logger: Logger, metrics: Metrics): void {
  const problem = formerKeyProblem(auth.previousSessionSecret);
  const isGiven = !auth.disabled && auth.previousSessionSecret !== undefined;
  const currentIsValid = readSigningKey(auth.sessionSecret).problem === undefined;
  metrics.setFormerSigningKey(isGiven && problem === undefined && currentIsValid);
  if (isGiven && problem !== undefined) {
    logger.warn('a setting looks wrong', { variable: 'SESSION_SECRET_PREVIOUS', problem });
  }
}

/**
 * With the service account of a pod the service is a deployment, whatever NODE_ENV is, and everyone who reaches it
 * would be an administrator.
 */
function requireSignInInPods({ auth }: Settings, { inCluster }: ClusterHome): void {
  if (!auth.disabled || !inCluster) return;
  const message =
    'AUTH_DISABLED=true is for local development and cannot be used with the service account of a pod';
  throw new ServiceError('notConfigured', message, { reason: 'authDisabledInPod' });
}

async function answers(cluster: Cluster): Promise<boolean> {
  await cluster.probe(startDeadline(PROBE_BUDGET_MS));
  return true;
}

/** Successes are counted. Failures are also logged, since the response to the client does not include the cause. */
function observeClusterCall(record: CallRecord, metrics: Metrics, logger: Logger): void {
  const { verb, resource, status, outcome, durationMs } = record;
  metrics.observeCluster({
    verb,
    resource,
    outcome: outcomeLabel(record),
    seconds: durationMs / 1_000,
  });
  const level = EXPECTED_OUTCOMES.includes(outcome) ? 'debug' : 'warn';
  logger[level]('cluster request', {
    verb,
    resource,
    namespace: record.namespace,
    name: record.name,
    status,
    outcome,
    reason: record.reason,
    systemCode: record.systemCode,
    attempt: record.attempt,
    durationMs: Math.round(durationMs),
  });
}

/** Outcomes of ordinary work: absence is a valid result, and the client resolves races. */
const EXPECTED_OUTCOMES: readonly string[] = ['ok', 'notFound', 'exists', 'conflict'];
