import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKubeClient } from '../harness/kube-client.ts';
import { startService, type ServiceProcess } from '../harness/service-process.ts';
import { withoutLease } from '../harness/without-lease.ts';
import { startChild } from './child.ts';
import { installedLimits } from './installed-limits.ts';
import { namespaceName, objectsOf, writeScaleState, type Scale } from './scale-state.ts';

const WRITERS = 16;

/** A service with the limits of the installation that has listed a large cluster. */
export interface ScaledService {
  readonly service: ServiceProcess;
  /** From the start of the process until everything was listed. */
  readonly readyMs: number;
  /** Of the service's processor time. */
  readonly readyCpuSeconds: number;
  /** The longest turn of the event loop since the last call, in milliseconds. */
  readonly turn: () => Promise<number>;
}

/** A cluster with many Secrets. */
export interface ScaledCluster {
  readonly kubeconfig: string;
  /** Whether faults can be added to it. */
  readonly isDevelopment: boolean;
  stop(): Promise<void>;
}

/** A development cluster that has these Secrets when it starts, or the one of BENCH_KUBECONFIG, which is filled and cleaned up. */
export async function startScaledCluster(scale: Scale, folder: string): Promise<ScaledCluster> {
  const given = process.env['BENCH_KUBECONFIG'] ?? '';
  if (given !== '') return fillCluster(given, scale);
  const [state, kubeconfig] = [join(folder, 'state'), join(folder, 'kubeconfig')];
  writeScaleState(state, scale);
  const options = ['--port', '0', '--kubeconfig', kubeconfig, '--state', state];
  const cluster = await startChild('hack/dev-cluster/main.ts', options);
  return { kubeconfig, isDevelopment: true, stop: () => cluster.stop() };
}

async function fillCluster(kubeconfig: string, scale: Scale): Promise<ScaledCluster> {
  const kube = createKubeClient(kubeconfig);
  const objects = objectsOf(scale);
  const namespaces: string[] = [];
  const work = async (): Promise<void> => {
    for (const { namespace, object } of objects) {
      // The cluster gives its own.
      const {
        uid: _uid,
        resourceVersion: _revision,
        creationTimestamp: _time,
        ...metadata
      } = object.metadata;
      if (namespace === undefined) continue;
      await kube.createSecret(namespace, { ...object, metadata });
    }
  };
  for (let index = 0; index < scale.namespaces; index++) {
    namespaces.push(namespaceName(scale, index));
    await kube.createNamespace(namespaceName(scale, index));
  }
  await Promise.all(Array.from({ length: WRITERS }, work));
  return {
    kubeconfig,
    isDevelopment: false,
    async stop() {
      for (const name of namespaces) await kube.deleteNamespace(name);
      await kube.close();
    },
  };
}

/** @param count of Secrets that are listed when the service is ready */
export async function startScaled(kubeconfig: string, folder: string, count: number): Promise<ScaledService> {
  const turnFile = join(folder, 'turn');
  const meter = new URL('turn-meter.ts', import.meta.url).pathname;
  const begun = performance.now();
  const service = await startService({
    kubeconfigFile: withoutLease(kubeconfig, folder),
    waitFor: 'live',
    env: {
      LOG_LEVEL: 'warn',
      BENCH_TURN_FILE: turnFile,
      NODE_OPTIONS: `${installedLimits().nodeOptions} --import=${meter}`,
    },
  });
  const turn = async (): Promise<number> => {
    service.signal('SIGUSR2');
    await sleep(100);
    return Number(readFileSync(turnFile, 'utf8'));
  };
  await turn(); // what loading the modules took
  // Not by metrics from the start: a scrape takes as long as some hundred Secrets.
  while ((await (await fetch(`${service.opsUrl}/readyz`)).text()).includes('caches')) await sleep(50);
  await until(service, (text) => figure(text, 'service_cache_objects{cache="secrets"}') >= count);
  const readyMs = performance.now() - begun;
  return { service, readyMs, readyCpuSeconds: await cpuSeconds(service), turn };
}

/** Processor time of the service so far. */
export async function cpuSeconds(service: ServiceProcess): Promise<number> {
  return figure(await scrape(service), 'process_cpu_seconds_total');
}

export async function scrape(service: ServiceProcess): Promise<string> {
  return (await fetch(`${service.opsUrl}/metrics`)).text();
}

export async function until(service: ServiceProcess, isDone: (text: string) => boolean): Promise<void> {
  while (!isDone(await scrape(service))) await sleep(50);
}

/** 0 for a series that does not exist yet. */
export function figure(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}
