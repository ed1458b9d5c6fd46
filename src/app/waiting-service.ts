import { listen, type Listener } from '../server/listen.ts';
import { createOpsApp } from '../server/ops-app.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import { countRefusals, exposeReady, type Metrics } from '../observability/metrics.ts';
import { createReadiness } from '../observability/readiness.ts';
import { listenerComponent, reminder } from './components.ts';
import { createLifecycle } from './lifecycle.ts';
import { MAX_OPS_CONNECTIONS, STOP_DEADLINE_MS } from './limits.ts';

export interface WaitingServiceOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The service while settings are missing: the operations port alone. `/readyz` and the log name what is missing. Nothing
 * listens on the public port, and no request is sent to the cluster. Settings are read once, so it waits until it is
 * restarted (docs/adr/0015-waiting-for-settings.md).
 */
export function createWaitingService({ settings, logger, metrics }: WaitingServiceOptions) {
  const { missing, http } = settings;
  const detail = `missing ${missing.join(', ')}`;
  const readiness = createReadiness(exposeReady(metrics), [
    { name: 'settings', isReady: () => false, detail },
  ]);
  let operations: Listener | undefined;
  const open = async (): Promise<Listener> => {
    operations = await listen(createOpsApp(metrics, readiness), {
      host: http.host,
      port: http.opsPort,
      maxConnections: MAX_OPS_CONNECTIONS,
      onRefused: countRefusals(metrics),
      logger,
    });
    return operations;
  };
  const remind = (): void => {
    for (const variable of missing) logger.warn('waiting for a setting', { variable, problem: 'missing' });
  };
  const lifecycle = createLifecycle(
    [listenerComponent('operations', open), reminder('settings reminder', remind)],
    STOP_DEADLINE_MS,
    logger,
  );
  return {
    /** Nothing that could fail later runs. */
    failed: new Promise<never>(() => undefined),
    start: () => lifecycle.start(),
    async stop(signal: string) {
      logger.info('stopping', { signal });
      await lifecycle.stop();
      logger.info('stopped');
    },
    get ports() {
      return { api: 0, ops: operations?.port ?? 0 };
    },
  };
}
