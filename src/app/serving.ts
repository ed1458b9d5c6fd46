import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReadiness, type ReadinessCheck } from '../observability/readiness.ts';
import {
  listen,
  type Listener,
  type ListenOptions,
  createOpsApp,
  createCertificateSource,
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
  const { logger, metrics } = base;
  const { http, production } = base.settings;
  let stopping = false;
  const running = { name: 'running', isReady: () => !stopping, detail: () => 'stopping' };
  const readiness = createReadiness(metrics, [running, ...checks], notes);
  const ops = openPort(base, 'operations', createOpsApp(metrics, readiness), {
    port: http.opsPort,
    maxConnections: MAX_OPS_CONNECTIONS,
  });
  const certificate = http.tls && createCertificateSource({ files: http.tls, metrics, logger });
  const api =
    app &&
    openPort(base, 'api', app, {
      port: http.port,
      maxConnections: MAX_API_CONNECTIONS,
      maxPerAddress: MAX_ADDRESS_CONNECTIONS,
      certificate,
    });
  const beforeStop: Component = {
    name: 'readiness',
    stop: async () => {
      stopping = true;
      api?.listener()?.drain();
      if (api !== undefined && production) await sleep(READINESS_LEAD_MS);
    },
  };
  const ordered = [api && certificate, ...components, ops.component, api?.component, beforeStop];
  const lifecycle = createLifecycle(
    ordered.filter((component) => component !== undefined),
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

/** A port that listens while the service runs. */
function openPort(
  { settings, logger, metrics }: ServiceBase,
  port: 'api' | 'operations',
  app: RequestListener,
  options: Pick<ListenOptions, 'port' | 'maxConnections' | 'maxPerAddress' | 'certificate'>,
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
        listener = await listen(app, { host, onRefused: metrics.countRefusal, logger, ...options });
      },
      stop: () => listener?.stop(),
    },
  };
}
