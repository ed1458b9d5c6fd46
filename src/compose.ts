import { createAccessGate } from './access/gate.ts';
import { createApp } from './api/app.ts';
import { createAudit, type Audit } from './api/audit.ts';
import { createLimiter } from './api/limits.ts';
import { listen, type Listener } from './api/listen.ts';
import { createOpsApp } from './api/ops-app.ts';
import { BUILT_PAGES, readWebPages } from './api/web-pages.ts';
import { createAuthentication } from './auth/authentication.ts';
import { readSigningKey } from './auth/signing-key.ts';
import { startCall } from './calls/call.ts';
import type { CallRecord } from './cluster/call-record.ts';
import { createCluster, type Cluster } from './cluster/cluster.ts';
import { loadCredentials } from './cluster/credentials.ts';
import { historyPart } from './compose-history.ts';
import type { Settings } from './config/settings.ts';
import { createConsumers } from './consumers/consumers.ts';
import { annotationNames } from './history/annotation-names.ts';
import { createLifecycle, type Part } from './lifecycle.ts';
import { composeCaches, type Caches } from './compose-caches.ts';
import { standardOutput, type LogOutput } from './observability/joined-lines.ts';
import { auditLevel, createLogger, type LogDestination, type Logger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { createReadiness, remembered } from './observability/readiness.ts';
import { createListAnswers, type ListAnswers } from './secrets/list-answers.ts';
import { createSecretsService } from './secrets/secrets-service.ts';
import { witnessedStore } from './secrets/witnessed-store.ts';
import { readVersion } from './version.ts';

/** Within the usual grace period of 30 seconds, with time left for the process to end. */
const STOP_DEADLINE_MS = 25_000;
/**
 * How long readiness is down, in production, before connections are refused. Until then every load balancer must have
 * noticed, and ingress controllers look only every few seconds.
 */
const READINESS_LEAD_MS = 5_000;
/** Serialized lists kept for repeated requests. */
const MAX_KEPT_ANSWER_BYTES = 64 * 1024 * 1024;
const PROBE_BUDGET_MS = 3_000;
const PROBE_TTL_MS = 2_000;
const BYPASS_REMINDER_MS = 5 * 60_000;

export interface Service {
  start(): Promise<void>;
  /** Stops within a deadline, answers under way first. A second call joins the first. */
  stop(signal: string): Promise<void>;
  /** The ports that it listens on, once started. */
  readonly ports: { readonly api: number; readonly ops: number };
}

/** What tests and tools replace. */
export interface Overrides {
  readonly cluster?: Cluster;
  readonly logDestination?: LogDestination;
  /** How long one attempt at the cluster may take. */
  readonly clusterAttemptTimeoutMs?: number;
}

/**
 * Wires the rooms together. Nothing is started, connected or listened on yet.
 * @param environment where the cluster's credentials are looked for, as kubectl does
 * @throws {ServiceError} `notConfigured` when there is no cluster to be found
 */
export function composeService(
  settings: Settings,
  environment: { readonly KUBECONFIG?: string | undefined },
  overrides: Overrides = {},
): Service {
  const version = readVersion();
  const output = outputOf(overrides);
  const logger = createLogger(settings.logLevel, output.joined);
  const metrics = createMetrics(version);
  const { auth } = settings;
  metrics.setSigningKeyValid(auth.disabled || readSigningKey(auth.sessionSecret).problem === undefined);
  const cluster =
    overrides.cluster ??
    createCluster({
      credentials: loadCredentials({ kubeconfig: environment.KUBECONFIG }),
      policyName: settings.access.policyName,
      onCall: (record) => {
        observeClusterCall(record, metrics, logger);
      },
      ...(overrides.clusterAttemptTimeoutMs === undefined
        ? {}
        : { attemptTimeoutMs: overrides.clusterAttemptTimeoutMs }),
    });

  const caches = composeCaches({ settings, cluster, logger, metrics });
  const listAnswers = createListAnswers(MAX_KEPT_ANSWER_BYTES);
  metrics.onExpose(() => {
    metrics.lists.setKeptBytes(listAnswers.keptBytes());
  });

  let stopping = false;
  const readiness = createReadiness(metrics.tellReady, [
    { name: 'running', isReady: () => !stopping },
    remembered({ name: 'cluster', isReady: () => answers(cluster) }, PROBE_TTL_MS),
    ...(caches === undefined ? [] : [caches.readiness]),
  ]);
  const audit = createAudit(createLogger(auditLevel(settings.logLevel), output.atOnce));
  const app = composeApp({ settings, version, cluster, caches, listAnswers, audit, logger, metrics });
  const listeners: { api?: Listener; ops?: Listener } = {};

  const lifecycle = createLifecycle(
    [
      { name: 'cluster', stop: () => cluster.close() },
      ...(caches === undefined ? [] : [caches.part]),
      bypassReminder(settings.auth.disabled, logger, metrics),
      historyPart({ settings, cluster, logger, metrics }),
      listenerPart('operations', async () => {
        listeners.ops = await listen(
          createOpsApp(metrics, readiness),
          settings.http.host,
          settings.http.opsPort,
          logger,
        );
        return listeners.ops;
      }),
      listenerPart('api', async () => {
        listeners.api = await listen(app, settings.http.host, settings.http.port, logger);
        return listeners.api;
      }),
      readinessLead(settings.production ? READINESS_LEAD_MS : 0, () => {
        stopping = true;
        listeners.api?.drain();
      }),
    ],
    STOP_DEADLINE_MS,
    logger,
  );

  return {
    async start() {
      await lifecycle.start();
      logger.info('started', { version, port: listeners.api?.port ?? 0 });
    },
    async stop(signal) {
      logger.info('stopping', { signal });
      await lifecycle.stop();
      logger.info('stopped');
    },
    get ports() {
      return { api: listeners.api?.port ?? 0, ops: listeners.ops?.port ?? 0 };
    },
  };
}

/** One for all lines, so that they come in their order: the audit line of a request before its `request` line. */
function outputOf({ logDestination }: Overrides): LogOutput {
  if (logDestination === undefined) return standardOutput();
  return { joined: logDestination, atOnce: logDestination };
}

interface AppParts {
  readonly settings: Settings;
  readonly version: string;
  readonly cluster: Cluster;
  readonly caches: Caches | undefined;
  readonly listAnswers: ListAnswers;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

function composeApp({ settings, version, cluster, caches, listAnswers, audit, logger, metrics }: AppParts) {
  const { http, auth, access, secrets, limits, production } = settings;
  const gate = createAccessGate({
    policies: cluster.policies,
    namespaces: cluster.namespaces,
    policyCache: caches?.policyCache,
    scope: access.namespaces,
  });
  const names = annotationNames(secrets.annotationPrefix);
  const listCache = caches?.listCache;
  const secretsService = createSecretsService({
    store: listCache === undefined ? cluster.secrets : witnessedStore(cluster.secrets, listCache, names),
    gate,
    names,
    listCache,
    listAnswers,
    onList: (from) => {
      metrics.lists.countAnswer(from.source, from.source === 'live' ? from.reason : '');
    },
    managedOnly: secrets.managedOnly,
    historyLimit: secrets.historyLimit,
    now: () => new Date(),
  });
  return createApp({
    authentication: createAuthentication({ settings, logger, now: Date.now }),
    admins: { users: access.adminUsers, groups: access.adminGroups },
    everyoneIsAdmin: auth.disabled,
    gate,
    secrets: secretsService,
    consumers: createConsumers({ store: cluster.workloads, now: () => new Date() }),
    audit,
    sessionLimiter: createLimiter(limits.requestsPerSession),
    loginLimiter: createLimiter(limits.loginsPerAddress),
    logger,
    metrics,
    config: {
      authDisabled: auth.disabled,
      oidcConfigured: auth.oidc !== undefined,
      managedOnly: secrets.managedOnly,
      restartEnabled: settings.restart.enabled,
      version,
    },
    webPages: readWebPages(BUILT_PAGES),
    publicUrl: http.publicUrl,
    production,
    trustProxy: http.trustProxy,
  });
}

function listenerPart(name: string, open: () => Promise<Listener>): Part {
  let listener: Listener | undefined;
  return {
    name,
    async start() {
      listener = await open();
    },
    async stop() {
      await listener?.stop();
    },
  };
}

/** Started last, so stopped first: readiness falls, and only then do the ports close. */
function readinessLead(leadMs: number, fall: () => void): Part {
  return {
    name: 'readiness',
    async stop() {
      fall();
      await new Promise((resolve) => setTimeout(resolve, leadMs));
    },
  };
}

/** AUTH_DISABLED makes everyone an administrator, so it must be impossible to overlook. */
function bypassReminder(disabled: boolean, logger: Logger, metrics: Metrics): Part {
  let timer: NodeJS.Timeout | undefined;
  const remind = () => {
    logger.warn('sign-in is disabled: every request is served as an administrator', {
      variable: 'AUTH_DISABLED',
    });
  };
  return {
    name: 'bypass reminder',
    start() {
      metrics.setAuthDisabled(disabled);
      if (disabled) {
        remind();
        timer = setInterval(remind, BYPASS_REMINDER_MS).unref();
      }
      return Promise.resolve();
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

async function answers(cluster: Cluster): Promise<boolean> {
  await cluster.probe(startCall(PROBE_BUDGET_MS));
  return true;
}

/** Successes are counted; what failed is also a line, since the answer to the client does not say why. */
function observeClusterCall(record: CallRecord, metrics: Metrics, logger: Logger): void {
  const { verb, resource, status, outcome, durationMs } = record;
  metrics.observeCluster({
    verb,
    resource,
    outcome: status === undefined ? outcome : String(status),
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

/** Outcomes that belong to ordinary work: absence is an answer, and a race is settled by the client. */
const EXPECTED_OUTCOMES: readonly string[] = ['ok', 'notFound', 'exists', 'conflict'];
