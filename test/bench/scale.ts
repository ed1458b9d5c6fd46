import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../harness/service-process.ts';
import { startChild } from './child.ts';
import { say } from './fixture.ts';
import { memoryOf } from './installed-limits.ts';
import { writeRecording, type Scale } from './scale-state.ts';
import { figure, scrape, startScaled, startScaledCluster, until } from './scaled-service.ts';

/** A large cluster: the time from start to ready, the memory, and the longest turn of the event loop. */

const MIB = 1_024 * 1_024;
/** A part of the size, to try the benchmark itself. */
const SHARE = Number(process.env['BENCH_SCALE'] ?? 1);
const MANY: Scale = { name: 'many', namespaces: 200, secrets: 100_000 * SHARE, bytes: 2_048, snapshots: 0 };
const HISTORY: Scale = {
  name: 'history',
  namespaces: 200,
  secrets: 20_000 * SHARE,
  bytes: 512,
  snapshots: 10,
};
/** Of a development cluster, which can end its watches. */
const RELISTS = 10;

const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
try {
  await measure('100,000 Secrets of 2 KB in 200 namespaces', MANY);
  await measureRecorded();
  await measure('20,000 Secrets with 10 snapshots each', HISTORY);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(what: string, scale: Scale): Promise<void> {
  const cluster = await startScaledCluster(scale, folder);
  const { service, readyMs, readyCpuSeconds, turn } = await startScaled(
    cluster.kubeconfig,
    folder,
    scale.secrets,
  );
  try {
    const syncTurn = await turn();
    await sleep(2_000);
    const rss = memoryOf(service, 'VmRSS');
    await scrape(service);
    const scrapeTurn = await turn();
    for (let round = 1; cluster.isDevelopment && round <= RELISTS; round++)
      await relist(cluster.kubeconfig, service);
    const relistTurn = await turn();
    await sleep(2_000);
    say(what, {
      'start to ready s (aim 10)': readyMs / 1_000,
      'of which processor time of the service s': readyCpuSeconds,
      'RSS MiB (aim 400)': rss / MIB,
      'after ten relists, share (aim 1.1)': memoryOf(service, 'VmRSS') / rss,
      'longest turn ms (aim 50): sync': syncTurn,
      scrape: scrapeTurn,
      relist: relistTurn,
    });
  } finally {
    await service.stop();
    await cluster.stop();
  }
}

/** The service's own share: the cluster has nothing to do but to send a file. */
async function measureRecorded(): Promise<void> {
  const recording = join(folder, 'recording');
  const kubeconfig = join(folder, 'recorded');
  writeRecording(recording, MANY);
  const cluster = await startChild('test/bench/recorded-cluster.ts', [recording, kubeconfig]);
  const { service, readyMs, readyCpuSeconds } = await startScaled(kubeconfig, folder, MANY.secrets);
  say('100,000 Secrets of a recorded list', {
    'start to ready s (aim 4)': readyMs / 1_000,
    'of which processor time of the service s': readyCpuSeconds,
  });
  await service.stop();
  await cluster.stop();
}

/** Has the cluster end all watches as too old, and waits until everything was listed again. */
async function relist(kubeconfig: string, service: ServiceProcess): Promise<void> {
  const server = /server: "?([^\s"]+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? '';
  const count = (text: string): number => figure(text, relists('expired'));
  const before = count(await scrape(service));
  const rule = { match: { verb: 'watch', resource: 'secrets' }, times: 1, action: { type: 'gone' } };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${server}/_dev/faults`, { method: 'POST', headers, body: JSON.stringify(rule) });
  await until(service, (text) => count(text) > before);
  await fetch(`${server}/_dev/faults`, { method: 'DELETE' });
}

function relists(reason: string): string {
  return `service_watch_relists_total{informer="secrets",reason="${reason}"}`;
}
