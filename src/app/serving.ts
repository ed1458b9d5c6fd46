import type { RequestListener } from 'node:http';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import { countRefusals, exposeReady, type Metrics } from '../observability/metrics.ts';
import { createReadiness, remembered, type Readiness } from '../observability/readiness.ts';
import {
  listen,
  ListenError,
  type Listener,
  type ListenOptions,
  createOpsApp,
  CertificateError,
  openCertificateSource,
  type CertificateProblem,
  type CertificateSource,
} from '../server/server.ts';
import { startDeadline } from '../timing/deadline.ts';
import { bypassReminder, createLifecycle, readinessDelay, reminder, type Component } from './lifecycle.ts';
import type { ServiceBase } from './parts.ts';
import type { Workers } from './workers.ts';

/** Within the usual grace period of 30 seconds, with time left for the process to end. */
const STOP_DEADLINE_MS = 25_000;
/**
 * How long readiness fails, in production, before connections are refused. Ingress controllers check only every few
 * seconds, and all of them must have noticed.
 */
const READINESS_LEAD_MS = 5_000;
/** Ingress controllers keep a few hundred idle connections open. Each costs some 20 KiB. */
const MAX_API_CONNECTIONS = 1_000;
/**
 * One address takes no more of them, so that the others get in. An ingress is one address: it needs fewer, and its own
 * clients are its own to bound.
 */
const MAX_ADDRESS_CONNECTIONS = 750;
/** The kubelet's probes and a few scrapers. */
const MAX_OPS_CONNECTIONS = 64;
/** The time limit of one readiness check of the cluster. */
const PROBE_BUDGET_MS = 3_000;
/** How long its result is kept, so that frequent probes do not add load. */
const PROBE_TTL_MS = 2_000;
/** How often the files of the TLS certificate are read again. A kubelet takes about a minute to renew a mounted Secret. */
const CERTIFICATE_CHECK_MS = 10_000;

/** The ports, the readiness, and the order in which everything starts; it stops in the opposite one. */
export function createServing(workers: Workers, app: RequestListener) {
  const { settings, logger, metrics, tracing, cluster, prefix, secretsWatch, history } = workers;
  const optional = [workers.caches, workers.revocations].filter((worker) => worker !== undefined);
  let stopping = false;
  const clusterAnswers = async () => {
    await cluster.probe(startDeadline(PROBE_BUDGET_MS));
    return true;
  };
  const checks = [
    { name: 'running', isReady: () => !stopping, detail: () => 'stopping' },
    remembered({ name: 'cluster', isReady: clusterAnswers }, PROBE_TTL_MS),
    ...[prefix, ...optional].map(({ readiness }) => readiness),
  ];
  const readiness = createReadiness(exposeReady(metrics), checks, history.notes);
  const certificate = serverCertificate(settings, logger, metrics);
  const ops = operationsPort(workers, readiness);
  const api = openPort(workers, 'api', app, () => ({
    port: settings.http.port,
    maxConnections: MAX_API_CONNECTIONS,
    maxPerAddress: MAX_ADDRESS_CONNECTIONS,
    certificate: certificate.current(),
  }));
  const components = [
    // Stopped last, so that the spans of all others are exported.
    ...(tracing === undefined ? [] : [{ name: 'tracing', stop: () => tracing.stop() }]),
    certificate.component,
    { name: 'cluster', stop: () => cluster.close() },
    ...[prefix, secretsWatch, ...optional].map(({ component }) => component),
    bypassReminder(settings.auth.disabled, logger, metrics),
    history.component,
    ops.component,
    api.component,
    readinessDelay(settings.production ? READINESS_LEAD_MS : 0, () => {
      stopping = true;
      api.listener()?.drain();
    }),
  ];
  return servingOf(workers, components, { api, ops, readiness });
}

/**
 * The service while settings are missing: the operations port alone. `/readyz` and the log name what is missing. Nothing
 * listens on the public port, and no request is sent to the cluster. Settings are read once, so it waits until it is
 * restarted (docs/adr/0015-waiting-for-settings.md).
 */
export function createWaitingService(base: ServiceBase) {
  const { settings, logger, metrics } = base;
  const { missing } = settings;
  const check = { name: 'settings', isReady: () => false, detail: () => `missing ${missing.join(', ')}` };
  const readiness = createReadiness(exposeReady(metrics), [check]);
  const ops = operationsPort(base, readiness);
  const remind = (): void => {
    for (const variable of missing) logger.warn('waiting for a setting', { variable, problem: 'missing' });
  };
  const serving = servingOf(base, [ops.component, reminder('settings reminder', remind)], { ops, readiness });
  return {
    ...serving,
    // What is missing is logged as it is.
    check: () => undefined,
    /** Nothing that could fail later runs. */
    failed: new Promise<never>(() => undefined),
    async stop(signal: string) {
      await serving.stop(signal);
      logger.info('stopped');
    },
  };
}

function servingOf(
  { logger }: ServiceBase,
  components: readonly Component[],
  { api, ops, readiness }: { readonly api?: Port; readonly ops: Port; readonly readiness: Readiness },
) {
  const lifecycle = createLifecycle(components, STOP_DEADLINE_MS, logger);
  const portOf = (port: Port | undefined): number => port?.listener()?.port ?? 0;
  return {
    start: () => lifecycle.start(),
    waitingFor: () => readiness.waitingFor(),
    stop(signal: string): Promise<void> {
      logger.info('stopping', { signal });
      return lifecycle.stop();
    },
    ports: {
      get api() {
        return portOf(api);
      },
      get ops() {
        return portOf(ops);
      },
    },
  };
}

/** A port that listens while the service runs. */
interface Port {
  readonly component: Component;
  /** Undefined before the start. */
  readonly listener: () => Listener | undefined;
}

function operationsPort(base: ServiceBase, readiness: Readiness): Port {
  const { opsPort: port } = base.settings.http;
  const limits = { port, maxConnections: MAX_OPS_CONNECTIONS };
  return openPort(base, 'operations', createOpsApp(base.metrics, readiness), () => limits);
}

function openPort(
  { settings, logger, metrics }: ServiceBase,
  port: 'api' | 'operations',
  app: RequestListener,
  limits: () => Pick<ListenOptions, 'port' | 'maxConnections' | 'maxPerAddress' | 'certificate'>,
): Port {
  let listener: Listener | undefined;
  metrics.onExpose(() => {
    const connections = listener?.connections();
    if (connections === undefined) return;
    for (const state of ['idle', 'busy'] as const) {
      metrics.set('service_connections', connections[state], { port, state });
    }
  });
  const { host } = settings.http;
  return {
    listener: () => listener,
    component: {
      name: port,
      async start() {
        listener = await listen(app, { host, onRefused: countRefusals(metrics), logger, ...limits() });
      },
      async stop() {
        await listener?.stop();
      },
    },
  };
}

const WORDS: Readonly<Record<CertificateProblem, string>> = {
  unreadable: 'one of the files cannot be read',
  tooLarge: 'one of the files is larger than 1 MiB',
  certificateMalformed: 'the certificate is not PEM',
  keyMalformed: 'the key is not PEM, or is encrypted',
  pairMismatch: 'the key does not belong to the certificate',
  unusable: 'the chain or the key cannot be used for TLS',
};

/** The certificate of the public port, undefined without TLS, and the component that follows its renewals. */
function serverCertificate({ http }: Settings, logger: Logger, metrics: Metrics) {
  const { tls } = http;
  let source: CertificateSource | undefined;
  return {
    current: () => source,
    component: {
      name: 'certificate',
      async start() {
        if (tls === undefined) return;
        source = await openCertificateSource({
          files: tls,
          intervalMs: CERTIFICATE_CHECK_MS,
          onUsed: (notAfter) => {
            metrics.set('service_tls_not_after_seconds', Math.floor(notAfter.getTime() / 1_000), {
              port: 'api',
            });
          },
          onReload: (outcome) => {
            metrics.inc('service_tls_reloads_total', { outcome });
          },
          logger,
        }).catch(refuse);
        // From the start, so that the first one is an increase and not a new series.
        for (const outcome of ['loaded', 'failed'] as const) {
          metrics.add('service_tls_reloads_total', 0, { outcome });
        }
      },
      stop() {
        source?.stop();
        return Promise.resolve();
      },
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof CertificateError)) throw error;
  throw new ListenError(`SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE: ${WORDS[error.problem]}`);
}
