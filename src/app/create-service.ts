import { createAudit } from '../api/runner/audit.ts';
import { createAnnotationCodec, type AnnotationCodec } from '../kube/annotation-codec.ts';
import { createCluster, type Cluster } from '../cluster/cluster.ts';
import { loadCredentials, type ClusterHome } from '../cluster/credentials/credentials.ts';
import { callSpans, observeClusterCalls } from './cluster-calls.ts';
import { createHttpApp } from './http.ts';
import { createServing, createWaitingService } from './serving.ts';
import type { Settings } from '../config/settings.ts';
import { ServiceError } from '../errors/service-error.ts';
import { standardOutput, type LogOutput } from '../observability/batched-output.ts';
import { auditLevel, createLogger, type LogDestination, type Logger } from '../observability/logger.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import type { CreateTracing } from '../observability/tracing/tracing.ts';
import type { ServiceBase } from './parts.ts';
import type { CacheLimits } from './secrets-watch.ts';
import { createStartChecks } from './start-checks.ts';
import { startTracing } from './tracing.ts';
import { createWorkers } from './workers.ts';
import { readFileSync } from 'node:fs';
import { formerKeyProblem, readSigningKey } from '../auth/session/sessions.ts';

export interface Service {
  start(): Promise<void>;
  /** Tries once, after the start, what would otherwise be noticed later or never, and logs it. */
  check(): void;
  /** Stops within a deadline, after the requests in progress. A second call joins the first. */
  stop(signal: string): Promise<void>;
  /** Resolves with an error after which the service must be stopped. */
  readonly failed: Promise<ServiceError>;
  /** The ports that it listens on, once started. */
  readonly ports: { readonly api: number; readonly ops: number };
}

/** What tests and tools replace. */
interface Overrides {
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
  const untraced = { settings, version, metrics, logger: createLogger(settings.logLevel, output.joined) };
  const tracing = startTracing(untraced, overrides.createTracing);
  const ofContext = tracing === undefined ? undefined : () => ({ traceId: tracing.traceId() });
  const logger = createLogger(settings.logLevel, output.joined, ofContext);
  const base: ServiceBase = { ...untraced, logger, tracing };
  reportSigningKeys(settings, logger, metrics);
  if (settings.missing.length > 0) return createWaitingService(base);
  const codec = createAnnotationCodec(settings.secrets.annotationPrefix);
  const cluster = overrides.cluster ?? clusterOf(base, codec, environment, overrides);
  requireSignInInPods(settings, cluster.home);
  const audit = createAudit(createLogger(auditLevel(settings.logLevel), output.atOnce, ofContext));
  const workers = createWorkers(base, cluster, codec, overrides.cacheLimits);
  const serving = createServing(workers, createHttpApp(workers, audit));
  const checks = createStartChecks(workers);
  return {
    ...serving,
    failed: workers.failed,
    check: checks.run,
    async start() {
      await serving.start();
      logger.info('started', { version, port: serving.ports.api });
      const waitingFor = await serving.waitingFor();
      if (waitingFor.length > 0) logger.info('not ready yet', { waitingFor: waitingFor.join(', ') });
    },
    async stop(signal) {
      checks.stop();
      await serving.stop(signal);
      audit.close();
      logger.info('stopped');
    },
  };
}

function clusterOf(
  { settings, logger, metrics, tracing }: ServiceBase,
  codec: AnnotationCodec,
  environment: Readonly<Record<string, string | undefined>>,
  { clusterAttemptTimeoutMs }: Overrides,
): Cluster {
  const credentials = loadCredentials({ kubeconfig: environment['KUBECONFIG'], environment });
  return createCluster({
    credentials,
    policyName: settings.access.policyName,
    codec,
    onCall: observeClusterCalls({ credentials, metrics, logger }),
    ...(tracing === undefined ? {} : { startSpan: callSpans(tracing, credentials.server) }),
    ...(clusterAttemptTimeoutMs === undefined ? {} : { attemptTimeoutMs: clusterAttemptTimeoutMs }),
  });
}

/**
 * One output for all lines, so that they keep their order: the audit line of a request comes before its `request` line.
 */
function outputOf({ logDestination }: Overrides): LogOutput {
  if (logDestination === undefined) return standardOutput();
  return { joined: logDestination, atOnce: logDestination };
}

/** The service's version, from package.json, which is one folder above both src and dist. */
function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/**
 * Reports the signing keys. An invalid former key counts as none, which ends the sessions that it signed, so it is
 * logged.
 */
function reportSigningKeys({ auth }: Settings, logger: Logger, metrics: Metrics): void {
  const problem = formerKeyProblem(auth.previousSessionSecret);
  const isGiven = !auth.disabled && auth.previousSessionSecret !== undefined;
  const currentIsValid = readSigningKey(auth.sessionSecret).problem === undefined;
  metrics.set('service_former_signing_key', isGiven && problem === undefined && currentIsValid);
  if (isGiven && problem !== undefined) {
    logger.warn('a setting looks wrong', { variable: 'SESSION_SECRET_PREVIOUS', problem });
  }
  metrics.set('service_signing_key_valid', auth.disabled || currentIsValid);
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
