import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { ADMIN, DEVELOPER_A, sessionCookie } from '../harness/api-client.ts';
import { secretsPath } from '../harness/secret-paths.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import { startChild, type Child } from './child.ts';
import { openSlowLink } from './slow-link.ts';
import { onBenchFixture, percentile, say, timed, type BenchFixture } from './fixture.ts';

/** Lists of 5,000 Secrets of 2 KB: from the cache, live, straight from the cluster, and the bytes alone. */
const COUNT = 5_000;
const BYTES = 2_048;
/** The machine is seldom quiet: both servers take turns, and the middle of the ratios counts; CPU time is steadier. */
const TURNS = 5;
/** What the lists are compared with is not compressed either. */
const PLAIN = { 'accept-encoding': 'identity' };

await onBenchFixture(async (fixture) => {
  const namespace = await fixture.fill(COUNT, BYTES);
  const begun = performance.now();
  const service = await fixture.service({ env: { LOG_LEVEL: 'info', ...serviceOptions() } });
  say(`from process start to ready, ${COUNT} Secrets`, { ms: performance.now() - begun });

  const direct = await timed(12, () => fixture.direct(namespace));
  say('direct LIST, parsed', { 'p50 ms': percentile(direct, 0.5), 'p99 ms': percentile(direct, 0.99) });

  for (const [who, user] of [
    ['an admin', ADMIN],
    ['a user who may see half', DEVELOPER_A],
  ] as const) {
    const cookie = await sessionCookie(user);
    const url = `${service.url}${secretsPath(namespace)}`;
    const body = await compareLists(who, url, cookie, percentile(direct, 0.5));
    await compareRates({ who, url, cookie, body, fixture, service });
    await compareOverSlowLink(who, url, cookie);
  }
});

/** @returns the list's bytes */
async function compareLists(who: string, url: string, cookie: string, directMs: number): Promise<Buffer> {
  const get = (source: string, headers: Readonly<Record<string, string>>) => async (): Promise<Buffer> => {
    const answer = await fetch(url, { headers: { cookie, ...PLAIN, ...headers } });
    if (!answer.ok) throw new Error(`the list was answered ${answer.status}`);
    if (answer.headers.get('x-list-source') !== source)
      throw new Error(`the list was not from the ${source}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const live = await timed(12, get('live', { 'cache-control': 'no-cache' }));
  const cached = await timed(200, get('cache', {}));
  const body = await get('cache', {})();
  say(`list by ${who}, live`, { 'p50 ms': percentile(live, 0.5), 'p99 ms': percentile(live, 0.99) });
  say(`list by ${who}, cached`, {
    'p50 ms': percentile(cached, 0.5),
    'p99 ms': percentile(cached, 0.99),
    'times faster than live': percentile(live, 0.5) / percentile(cached, 0.5),
    'than direct (aim 25)': directMs / percentile(cached, 0.5),
  });
  return body;
}

/** A list over a link of 20 Mbit/s, compressed and as it is. */
async function compareOverSlowLink(who: string, url: string, cookie: string): Promise<void> {
  const { host, pathname } = new URL(url);
  const link = await openSlowLink(host, 20_000_000);
  try {
    const listed = (headers: object) => async (): Promise<void> => {
      const answer = await fetch(`${link.url}${pathname}`, { headers: { cookie, ...headers } });
      if (!answer.ok) throw new Error(`the list was answered ${answer.status}`);
      await answer.arrayBuffer();
    };
    const plain = await timed(10, listed(PLAIN));
    const plainBytes = link.bytesPerResponse();
    const gzip = await timed(10, listed({ 'accept-encoding': 'gzip' }));
    say(`list by ${who} over 20 Mbit/s`, {
      'plain p50 ms': percentile(plain, 0.5),
      'gzip p50 ms': percentile(gzip, 0.5),
      'times faster (aim 5)': percentile(plain, 0.5) / percentile(gzip, 0.5),
      'plain bytes': plainBytes,
      'gzip bytes': link.bytesPerResponse(),
    });
  } finally {
    await link.close();
  }
}

interface Listed {
  readonly who: string;
  readonly url: string;
  readonly cookie: string;
  /** What the list's answer is. */
  readonly body: Buffer;
  readonly fixture: BenchFixture;
  readonly service: ServiceProcess;
}

async function compareRates(listed: Listed): Promise<void> {
  const file = join(listed.fixture.folder, 'body');
  writeFileSync(file, listed.body);
  const bare = await startChild('test/bench/bare-server.ts', [file]);
  try {
    await compareWithBare(listed, bare);
  } finally {
    await bare.stop();
  }
}

async function compareWithBare({ who, url, cookie, body, service }: Listed, bare: Child): Promise<void> {
  const bareUrl = `http://127.0.0.1:${bare.firstLine}`;
  const ours = await serverAt(url, cookie, async () => {
    const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (.*)$/m.exec(metrics)?.[1]);
  });
  const theirs = await serverAt(bareUrl, cookie, async () =>
    Number(await (await fetch(`${bareUrl}/cpu-seconds`)).text()),
  );
  const turns: { readonly ours: Load; readonly theirs: Load }[] = [];
  for (let turn = 0; turn < TURNS; turn++) turns.push({ ours: await ours(), theirs: await theirs() });
  const middle = (of: (turn: (typeof turns)[number]) => number): number => percentile(turns.map(of), 0.5);
  const ratios = turns.map((turn) => turn.ours.rate / turn.theirs.rate);
  say(`requests per second, ${who}, ${body.byteLength} bytes`, {
    cached: middle((turn) => turn.ours.rate),
    bare: middle((turn) => turn.theirs.rate),
    'ratio (aim 0.8)': percentile(ratios, 0.5),
    from: Math.min(...ratios),
    to: Math.max(...ratios),
  });
  say(`CPU time per request, ${who}`, {
    'cached ms': middle((turn) => turn.ours.cpuMs),
    'bare ms': middle((turn) => turn.theirs.cpuMs),
    'ratio of work (bare / cached)': middle((turn) => turn.theirs.cpuMs / turn.ours.cpuMs),
  });
}

interface Load {
  /** Requests per second. */
  readonly rate: number;
  /** What the server's process spent on each. */
  readonly cpuMs: number;
}

/** A server that was warmed up, to be loaded for three seconds at a time. */
async function serverAt(
  url: string,
  cookie: string,
  cpuSeconds: () => Promise<number>,
): Promise<() => Promise<Load>> {
  const load = async (): Promise<Load> => {
    const before = await cpuSeconds();
    const result = await autocannon({ url, connections: 8, duration: 3, headers: { cookie } });
    if (result.non2xx > 0 || result.errors > 0) throw new Error('not every request was answered well');
    const spent = (await cpuSeconds()) - before;
    return { rate: result.requests.average, cpuMs: (1_000 * spent) / result.requests.total };
  };
  await load();
  return load;
}

/** BENCH_NODE_OPTIONS reach the service alone: to profile it, say. */
function serviceOptions(): Readonly<Record<string, string>> {
  const options = process.env['BENCH_NODE_OPTIONS'];
  return options === undefined ? {} : { NODE_OPTIONS: options };
}
