import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../harness/free-port.ts';
import type { Series } from './draw.ts';

/** A Prometheus that scrapes one service every second. */
export interface Prometheus {
  /** What a query of the dashboard shows from a time (seconds since 1970) until now, in so many points. */
  range(expression: string, from: number, points: number): Promise<readonly Series[]>;
  stop(): Promise<void>;
}

/** Debian's, which `hack/install-promtool` installs. */
export async function startPrometheus(folder: string, target: string): Promise<Prometheus> {
  const port = await freePort();
  const config = join(folder, 'prometheus.yaml');
  const scrape = {
    job_name: 'secrets-management-service',
    static_configs: [{ targets: [target], labels: { namespace: 'bench' } }],
  };
  writeFileSync(
    config,
    JSON.stringify({ global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [scrape] }),
  );
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return {
    async range(expression, from, points) {
      const until = Date.now() / 1_000;
      const step = ((until - from) / points).toFixed(2);
      const query = new URLSearchParams({ query: expression, start: String(from), end: String(until), step });
      const { data } = (await (
        await fetch(`${url}/api/v1/query_range?${query.toString()}`)
      ).json()) as RangeResult;
      return data.result.map(({ metric, values }) => ({
        name: Object.entries(metric)
          .filter(([label]) => !EVERYWHERE.has(label))
          .map(([, value]) => value)
          .join(' '),
        values: values.map(([, value]) => Number(value)),
      }));
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

interface RangeResult {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

/** Labels that all series of the one service have alike. */
const EVERYWHERE: ReadonlySet<string> = new Set(['__name__', 'namespace', 'job', 'instance']);

async function answers(url: string): Promise<void> {
  for (let left = 100; left > 0; left--) {
    const response = await fetch(`${url}/-/ready`).catch(() => undefined);
    if (response?.ok === true) return;
    await sleep(100);
  }
  throw new Error('Prometheus does not start: hack/install-promtool installs it');
}
