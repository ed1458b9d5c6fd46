import { readFileSync } from 'node:fs';
import { createAudit } from '../api/runner/audit.ts';
import { readSigningKey } from '../auth/session/sessions.ts';
import { createCluster, type Cluster } from '../cluster/cluster.ts';
import { loadCredentials, type ClusterHome } from '../cluster/credentials/credentials.ts';
import type { GatewayOptions } from '../cluster/transport/gateway.ts';
import type { Settings } from '../config/settings.ts';
import { ServiceError } from '../errors/service-error.ts';
import { AnnotationCodec } from '../kube/annotation-codec.ts';
import { auditLevel, createLogger, standardOutput, type LogOutput } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { remembered, type ReadinessCheck } from '../observability/readiness.ts';
import { startDeadline } from '../timing/deadline.ts';
import { callSpans, observeClusterCalls } from './cluster-calls.ts';
import { createHttpApp } from './http.ts';
import { reminder, type Component } from './lifecycle.ts';
import { createServing } from './serving.ts';
import { runStartChecks } from './start-checks.ts';
import type { ServiceBase } from './parts.ts';
import { createWorkers } from './workers.ts';

export interface Service {
  start(): Promise<void>;
  /** Tries once, after the start, what would otherwise be noticed later or never, and logs it. */
  check(): void;
  /** Stops within a deadline, after the requests in progress. A second call joins the first. */
  stop(signal: string): Promise<void>;
  /** Resolves with an error after which the service must be stopped. */
  readonly failed: Promise<ServiceError>;
  /** The ports that it listens on, once started. */
  readonly ports: () => { readonly api: number; readonly ops: number };
}

/** What tests replace. */
interface Overrides extends Pick<GatewayOptions, 'attemptTimeoutMs'> {
  /** One for all lines, so that they keep their order: the audit line of a request comes before its `request` line. */
  readonly output?: LogOutput;
}

/** The time limit of one readiness check of the cluster. */
const PROBE_BUDGET_MS = 3_000;
/** How long its result is kept, so that frequent probes do not add load. */
const PROBE_TTL_MS = 2_000;

/**
 * Connects the modules. Nothing is started, connected or listened on yet.
 * @param environment where the cluster's credentials and its proxy are found, as by kubectl
 * @throws {ServiceError} `notConfigured` when no cluster is configured
 */
export async function createService(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  { output = standardOutput(), ...gatewayOptions }: Overrides = {},
): Promise<Service> {
  const version = readVersion();
  const metrics = createMetrics(version);
  const untraced = createLogger(settings.logLevel, output.joined);
  const tracing = await startTracing({ settings, version, metrics, logger: untraced });
  const ofContext = tracing && (() => ({ traceId: tracing.traceId() }));
  const logger = createLogger(settings.logLevel, output.joined, ofContext);
  const base: ServiceBase = { settings, version, metrics, logger, tracing };
  reportSigningKeys(base);
  if (settings.missing.length > 0) return createWaitingService(base);
  const codec = new AnnotationCodec(settings.secrets.annotationPrefix);
  const cluster = clusterOf(base, codec, environment, gatewayOptions);
  requireSignInInPods(settings, cluster.home);
  const audit = createAudit(createLogger(auditLevel(settings.logLevel), output.atOnce, ofContext));
  const workers = createWorkers(base, cluster, codec);
  const serving = createServing(base, {
    // Stopped last, so that the spans of all others are exported.
    components: [
      { name: 'tracing', stop: () => tracing?.stop() },
      { name: 'cluster', stop: () => cluster.close() },
      ...workers.components,
      ...bypassReminder(base),
    ],
    checks: [clusterCheck(cluster), ...workers.checks],
    notes: workers.notes,
    app: createHttpApp(workers, audit),
  });
  return {
    failed: workers.failed,
    check: () => {
      runStartChecks(workers);
    },
    async start() {
      await serving.start();
      logger.info('started', { version, port: serving.ports().api });
      const waitingFor = await serving.waitingFor();
      if (waitingFor.length > 0) logger.info('not ready yet', { waitingFor: waitingFor.join(', ') });
    },
    async stop(signal) {
      await serving.stop(signal);
      audit.close();
      logger.info('stopped');
    },
    ports: serving.ports,
  };
}

/** Traces by the settings; OpenTelemetry is loaded only where traces are exported. */
async function startTracing({ settings, version, metrics, logger }: Omit<ServiceBase, 'tracing'>) {
  const { tracing } = settings;
  if (tracing === undefined) return undefined;
  const { createOpenTelemetry } = await import('../observability/tracing.ts');
  const service = { 'service.name': 'secrets-management-service', 'service.version': version };
  return createOpenTelemetry({ ...tracing, resource: { ...service, ...tracing.resource }, metrics, logger });
}

/**
 * The service while settings are missing: the operations port alone. `/readyz` and the log name what is missing. Nothing
 * listens on the public port, and no request is sent to the cluster. Settings are read once, so it waits until it is
 * restarted (docs/adr/0015-waiting-for-settings.md).
 */
function createWaitingService(base: ServiceBase): Service {
  const { missing } = base.settings;
  const remind = (): void => {
    for (const variable of missing)
      base.logger.warn('waiting for a setting', { variable, problem: 'missing' });
  };
  const check = { name: 'settings', isReady: () => false, detail: () => `missing ${missing.join(', ')}` };
  const serving = createServing(base, { components: [reminder(remind)], checks: [check] });
  return {
    ...serving,
    // What is missing is logged as it is, and nothing that could fail later runs.
    check: () => undefined,
    failed: new Promise<never>(() => undefined),
    async stop(signal) {
      await serving.stop(signal);
      base.logger.info('stopped');
    },
  };
}

function clusterCheck(cluster: Cluster): ReadinessCheck {
  const isReady = async () => {
    await cluster.probe(startDeadline(PROBE_BUDGET_MS));
    return true;
  };
  return { name: 'cluster', isReady: remembered(isReady, PROBE_TTL_MS) };
}

/** AUTH_DISABLED makes everyone an administrator, so it must be impossible to overlook. */
function bypassReminder({ settings, logger, metrics }: ServiceBase): readonly Component[] {
  const { disabled } = settings.auth;
  metrics.set('service_auth_disabled', disabled);
  const remind = (): void => {
    logger.warn('sign-in is disabled: every request is served as an administrator', {
      variable: 'AUTH_DISABLED',
    });
  };
  return disabled ? [reminder(remind)] : [];
}

function clusterOf(
  base: ServiceBase,
  codec: AnnotationCodec,
  environment: Readonly<Record<string, string | undefined>>,
  gatewayOptions: Pick<GatewayOptions, 'attemptTimeoutMs'>,
): Cluster {
  const { settings, tracing } = base;
  const credentials = loadCredentials({ kubeconfig: environment['KUBECONFIG'], environment });
  return createCluster({
    credentials,
    policyName: settings.access.policyName,
    codec,
    onCall: observeClusterCalls(base, credentials),
    ...(tracing && { startSpan: callSpans(tracing, credentials.server) }),
    ...gatewayOptions,
  });
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
function reportSigningKeys({ settings: { auth }, logger, metrics }: ServiceBase): void {
  const { problem } = readSigningKey(auth.previousSessionSecret);
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
