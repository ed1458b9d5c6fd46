import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, clientFor, type ApiClient } from '../harness/api-client.ts';
import { createKubeClient } from '../harness/kube-client.ts';
import { percentile, say } from './fixture.ts';
import { namespaceName, type Scale } from './scale-state.ts';
import { cpuSeconds, startScaled, startScaledCluster, type ScaledService } from './scaled-service.ts';

/** Pages of one large namespace and a search in many, by HTTP; milliseconds by the clock, and of the service's processor. */

const SHARE = Number(process.env['BENCH_SCALE'] ?? 1);
const ONE: Scale = { name: 'one', namespaces: 1, secrets: 50_000 * SHARE, bytes: 512, snapshots: 0 };
const MANY: Scale = { name: 'many', namespaces: 200, secrets: 100_000 * SHARE, bytes: 512, snapshots: 0 };
const HOME = namespaceName(ONE, 0);
const REQUESTS = 20;

const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
try {
  await onScaled(ONE, measurePages);
  await onScaled(MANY, measureSearch);
} finally {
  rmSync(folder, { recursive: true });
}

interface Measured {
  readonly scaled: ScaledService;
  readonly client: ApiClient;
  readonly kubeconfig: string;
}

async function onScaled(scale: Scale, work: (measured: Measured) => Promise<void>): Promise<void> {
  const dev = await startScaledCluster(scale, folder);
  const scaled = await startScaled(dev.kubeconfig, folder, scale.secrets);
  try {
    await work({ scaled, client: await clientFor(scaled.service.url, ADMIN), kubeconfig: dev.kubeconfig });
  } finally {
    await scaled.service.stop();
    await dev.stop();
  }
}

async function measurePages({ scaled, client, kubeconfig }: Measured): Promise<void> {
  const page = (words: string): string => `/api/namespaces/${HOME}/secrets?limit=200&q=${words}`;
  const first = await timed(client, page('secret'));
  const { ms, cpuMs } = await repeated(scaled, client, (index) => page(`secret-0${index}`));
  const kube = createKubeClient(kubeconfig);
  const after: number[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    await kube.patchSecret(HOME, 'secret-000001', { metadata: { labels: { round: String(index) } } });
    after.push(await timed(client, page('secret')));
  }
  await kube.close();
  say(`a page of 200 out of ${ONE.secrets}, searched by name`, {
    'p50 ms (aim 20)': ms,
    'processor ms': cpuMs,
    'right after a change, p50 ms (aim 20)': percentile(after, 0.5),
    'the first ms': first,
    'longest turn ms': await scaled.turn(),
  });
}

async function measureSearch({ scaled, client }: Measured): Promise<void> {
  const search = (words: string): string => `/api/search?limit=50&q=${words}`;
  const first = await timed(client, search('operator'));
  const { ms, cpuMs } = await repeated(scaled, client, (index) => search(`secret-0${index}%20bench`));
  say(`a search in ${MANY.secrets} of ${MANY.namespaces} namespaces`, {
    'p50 ms (aim 150)': ms,
    'processor ms': cpuMs,
    'the first ms (aim 150)': first,
    'longest turn ms': await scaled.turn(),
  });
}

async function repeated(
  { service }: ScaledService,
  client: ApiClient,
  pathOf: (index: number) => string,
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const before = await cpuSeconds(service);
  const times: number[] = [];
  for (let index = 0; index < REQUESTS; index++) times.push(await timed(client, pathOf(index)));
  const cpuMs = ((await cpuSeconds(service)) - before) * 1_000;
  return { ms: percentile(times, 0.5), cpuMs: cpuMs / REQUESTS };
}

async function timed(client: ApiClient, path: string): Promise<number> {
  const begun = performance.now();
  const { status, text } = await client.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return performance.now() - begun;
}
