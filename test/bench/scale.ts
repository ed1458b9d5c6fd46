import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type ServiceProcess } from '../harness/service-process.ts';
import { withoutLease } from '../harness/without-lease.ts';
import { startChild } from './child.ts';
import { say } from './fixture.ts';
import { installedLimits, memoryOf } from './installed-limits.ts';
import { writeScaleState, type Scale } from './scale-state.ts';

/** A large cluster: the time from start to ready, the memory, and the longest turn of the event loop. */

const MIB = 1_024 * 1_024;
/** A part of the size, to try the benchmark itself. */
const SHARE = Number(process.env['BENCH_SCALE'] ?? 1);
const MANY: Scale = { namespaces: 200, secrets: 100_000 * SHARE, bytes: 2_048, snapshots: 0 };
const HISTORY: Scale = { namespaces: 200, secrets: 20_000 * SHARE, bytes: 512, snapshots: 10 };
const RELISTS = 10;

const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
try {
  await measure('100,000 Secrets of 2 KB in 200 namespaces', MANY);
  await measure('20,000 Secrets with 10 snapshots each', HISTORY);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(what: string, scale: Scale): Promise<void> {
  const [state, kubeconfig] = [join(folder, 'state'), join(folder, 'kubeconfig')];
  writeScaleState(state, scale);
  const dev = await startChild('hack/dev-cluster/main.ts', [
    '--port',
    '0',
    '--kubeconfig',
    kubeconfig,
    '--state',
    state,
  ]);
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
  try {
    const turn = async (): Promise<number> => {
      service.signal('SIGUSR2');
      await sleep(100);
      return Number(readFileSync(turnFile, 'utf8'));
    };
    await turn(); // what loading the modules took
    await until(service, (text) => figure(text, 'service_cache_objects{cache="secrets"}') >= scale.secrets);
    const readyMs = performance.now() - begun;
    const cpuSeconds = figure(await scrape(service), 'process_cpu_seconds_total');
    const syncTurn = await turn();
    await sleep(2_000);
    const rss = memoryOf(service, 'VmRSS');
    await scrape(service);
    const scrapeTurn = await turn();
    for (let round = 1; round <= RELISTS; round++) await relist(kubeconfig, service);
    const relistTurn = await turn();
    await sleep(2_000);
    say(what, {
      'start to ready s (aim 10)': readyMs / 1_000,
      'of which processor time of the service s': cpuSeconds,
      'RSS MiB (aim 300)': rss / MIB,
      'after ten relists, share (aim 1.1)': memoryOf(service, 'VmRSS') / rss,
      'longest turn ms (aim 50): sync': syncTurn,
      scrape: scrapeTurn,
      relist: relistTurn,
    });
  } finally {
    await service.stop();
    await dev.stop();
  }
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

async function scrape(service: ServiceProcess): Promise<string> {
  return (await fetch(`${service.opsUrl}/metrics`)).text();
}

async function until(service: ServiceProcess, isDone: (text: string) => boolean): Promise<void> {
  while (!isDone(await scrape(service))) await sleep(50);
}

/** 0 for a series that does not exist yet. */
function figure(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}
