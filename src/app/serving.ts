import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import { countRefusals, exposeReady, type Metrics } from '../observability/metrics.ts';
import { createReadiness, type ReadinessCheck } from '../observability/readiness.ts';
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
import { createLifecycle, type Component } from './lifecycle.ts';
import type { ServiceBase } from './parts.ts';

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
/** How often the files of the TLS certificate are read again. A kubelet takes about a minute to renew a mounted Secret. */
const CERTIFICATE_CHECK_MS = 10_000;

/** What is served, and what runs beside the ports. */
interface Served {
  /** Started in this order, before the ports. */
  readonly components: readonly Component[];
  readonly checks: readonly ReadinessCheck[];
  /** What `/readyz` says besides. */
  readonly notes?: () => readonly string[];
  /** Without it nothing listens on the public port. */
  readonly app?: RequestListener;
}

/** The ports, the readiness, and the order in which everything starts; it stops in the opposite one. */
export function createServing(base: ServiceBase, { components, checks, notes, app }: Served) {
  const { settings, logger, metrics } = base;
  let stopping = false;
  const running = { name: 'running', isReady: () => !stopping, detail: () => 'stopping' };
  const readiness = createReadiness(exposeReady(metrics), [running, ...checks], notes);
  const ops = openPort(base, 'operations', createOpsApp(metrics, readiness), () => ({
    port: settings.http.opsPort,
    maxConnections: MAX_OPS_CONNECTIONS,
  }));
  const api = app && publicPort(base, app);
  const lifecycle = createLifecycle(
    [
      ...(api === undefined ? [] : [api.certificate]),
      ...components,
      ops.component,
      ...(api === undefined ? [] : [api.component]),
      {
        name: 'readiness',
        stop: async () => {
          stopping = true;
          api?.listener()?.drain();
          if (api !== undefined && settings.production) await sleep(READINESS_LEAD_MS);
        },
      },
    ],
    STOP_DEADLINE_MS,
    logger,
  );
  return {
    start: lifecycle.start,
    waitingFor: () => readiness.waitingFor(),
    stop(signal: string): Promise<void> {
      logger.info('stopping', { signal });
      return lifecycle.stop();
    },
    ports: () => ({ api: api?.listener()?.port ?? 0, ops: ops.listener()?.port ?? 0 }),
  };
}

/** The public port, with the component that reads its certificate before everything else is started. */
function publicPort(base: ServiceBase, app: RequestListener) {
  const { settings, logger, metrics } = base;
  const certificate = serverCertificate(settings, logger, metrics);
  const port = openPort(base, 'api', app, () => ({
    port: settings.http.port,
    maxConnections: MAX_API_CONNECTIONS,
    maxPerAddress: MAX_ADDRESS_CONNECTIONS,
    certificate: certificate.current(),
  }));
  return { ...port, certificate: certificate.component };
}

/** A port that listens while the service runs. */
function openPort(
  { settings, logger, metrics }: ServiceBase,
  port: 'api' | 'operations',
  app: RequestListener,
  limits: () => Pick<ListenOptions, 'port' | 'maxConnections' | 'maxPerAddress' | 'certificate'>,
) {
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
    /** Undefined before the start. */
    listener: () => listener,
    component: {
      name: port,
      async start() {
        listener = await listen(app, { host, onRefused: countRefusals(metrics), logger, ...limits() });
      },
      stop: () => listener?.stop(),
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
      stop: () => {
        source?.stop();
      },
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof CertificateError)) throw error;
  throw new ListenError(`SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE: ${WORDS[error.problem]}`);
}
