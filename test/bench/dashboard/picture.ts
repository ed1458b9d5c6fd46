import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startService } from '../../harness/service-process.ts';
import { onBenchFixture } from '../fixture.ts';
import { drawPanels, type Panel } from './draw.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';

// Writes docs/images/dashboard.svg: the panels of the dashboard over two minutes of ordinary work, by Prometheus itself.
// `node test/bench/dashboard/picture.ts`, after `make build` and hack/install-promtool.

const ROOT = new URL('../../../', import.meta.url).pathname;
const DASHBOARD = `${ROOT}kustomize/components/grafana-dashboard/dashboard.json`;
const PICTURE = `${ROOT}docs/images/dashboard.svg`;
const WORK_MS = 120_000;
const POINTS = 48;
const SECRETS = 200;
/** Sections of the dashboard that the picture leaves out: this work has no sign-in and no machine. */
const LEFT_OUT: readonly string[] = ['Overview', 'Sign-in', 'Machines'];

interface DashboardPanel {
  readonly type: string;
  readonly title: string;
  readonly fieldConfig?: { readonly defaults?: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
}

/** Lists, Secrets and values are read, and one Secret in ten reads is changed, at a pace that rises and falls. */
async function work(admin: ApiClient, developer: ApiClient, namespace: string): Promise<void> {
  const begun = Date.now();
  const secrets = secretsOf(admin, namespace);
  await secrets.create('changed', { data: { counter: '0' } });
  // Every other Secret is for the developer.
  for (let round = 0; Date.now() - begun < WORK_MS; round++) {
    const name = `secret-${String((2 * round) % SECRETS).padStart(6, '0')}`;
    await developer.get(`/api/namespaces/${namespace}/secrets`);
    await developer.get(`/api/namespaces/${namespace}/secrets/${name}?values=false`);
    await developer.get(`/api/namespaces/${namespace}/secrets/${name}/keys/username`);
    if (round % 10 === 0) await secrets.update('changed', { data: { counter: String(round) } });
    await sleep(40 + 30 * Math.sin((Date.now() - begun) / 10_000));
  }
}

async function panelsOf(prometheus: Prometheus, from: number): Promise<readonly Panel[]> {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    readonly panels: readonly DashboardPanel[];
  };
  const drawn: Panel[] = [];
  let section = '';
  for (const { type, title, fieldConfig, targets = [] } of panels) {
    if (type === 'row') section = title;
    if (type !== 'timeseries' || LEFT_OUT.includes(section)) continue;
    const series = await Promise.all(
      targets.map(({ expr }) => prometheus.range(filledIn(expr), from, POINTS)),
    );
    const shown = series.flat().filter(({ values }) => values.some((value) => value !== 0));
    if (shown.length > 0) drawn.push({ title, unit: fieldConfig?.defaults?.unit ?? '', series: shown });
  }
  return drawn;
}

function filledIn(expression: string): string {
  return expression
    .replaceAll('$namespace', '.*')
    .replaceAll('$job', '.*')
    .replaceAll('$__rate_interval', '15s')
    .replaceAll('$__range', '2m');
}

await onBenchFixture(async (bench) => {
  const { folder, kubeconfigFile } = bench;
  const namespace = await bench.fill(SECRETS, 2_048);
  const service = await startService({ kubeconfigFile, env: { LOG_LEVEL: 'warn' } });
  const prometheus = await startPrometheus(folder, new URL(service.opsUrl).host);
  try {
    // The rates of the dashboard look back 15 seconds.
    await sleep(5_000);
    const from = Date.now() / 1_000 + 15;
    await work(await clientFor(service.url, ADMIN), await clientFor(service.url, DEVELOPER_A), namespace);
    const panels = await panelsOf(prometheus, from);
    const title = `One replica, ${SECRETS} Secrets of 2 KiB, two minutes of reads and of an update in ten`;
    writeFileSync(PICTURE, drawPanels(title, panels));
    console.log(`wrote docs/images/dashboard.svg with ${panels.length} panels`);
  } finally {
    await prometheus.stop();
    await service.stop();
  }
});
