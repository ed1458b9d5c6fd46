import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, clientFor, DEVELOPER_A, person, sessionCookie } from '../harness/api-client.ts';
import { listOf } from '../harness/answers.ts';
import { nativeSecret, secretsPath } from '../harness/secret-paths.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import { startChild, type Child } from './child.ts';
import { onBenchFixture, percentile, say, type BenchFixture } from './fixture.ts';
import {
  CONNECTIONS,
  flood,
  neverRead,
  neverUsed,
  slowBodies,
  slowHeaders,
  unfinishedBodies,
  updates,
  type Target,
} from './hostile-clients.ts';
import { installedLimits, memoryOf, type Limits } from './installed-limits.ts';

/**
 * What one signed-in person can do to another: how long another person's cached list takes while the service is
 * attacked, and how much memory the service takes, with the limits of the installation's own manifest.
 */
const SECONDS = 8_000;
const MIB = 2 ** 20;
/** Secrets that are updated all at the same time: as many as one person's requests are worked on at once. */
const UPDATED = Array.from({ length: 8 }, (_, index) => `updated-${index}`);

/** From now on the peak is a new one (proc(5), clear_refs). */
function forgetPeak({ pid }: ServiceProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

interface Scene {
  /** Where the service writes its longest turn of the event loop. */
  readonly turnFile: string;
  readonly service: ServiceProcess;
  readonly probe: Child;
  readonly limits: Limits;
  readonly namespaces: Namespaces;
  /** A person who has not used up anything yet; of team-b, unless said otherwise. */
  someone(groups?: readonly string[]): Promise<Target>;
}

/** The longest turn of the event loop since the last call of this, in milliseconds of processor time. */
async function longestTurn({ service, turnFile }: Scene): Promise<number> {
  rmSync(turnFile, { force: true });
  service.signal('SIGUSR2');
  while (!existsSync(turnFile) || readFileSync(turnFile, 'utf8') === '') await sleep(10);
  return Number(readFileSync(turnFile, 'utf8'));
}

/** Runs an attack while another person lists, and says how they fare. */
async function attacked(what: string, scene: Scene, attack: () => Promise<unknown>): Promise<void> {
  const { service, probe, limits } = scene;
  if (!what.includes(process.env['BENCH_ONLY'] ?? '')) return;
  forgetPeak(service);
  await longestTurn(scene);
  await probe.send('begin');
  const begun = performance.now();
  const came = await attack();
  const seconds = (performance.now() - begun) / 1_000;
  const times = JSON.parse(await probe.send('end')) as number[];
  const peak = memoryOf(service, 'VmHWM');
  say(what, {
    'p99 ms (aim 100)': percentile(times, 0.99),
    'p50 ms': percentile(times, 0.5),
    'longest ms': Math.max(...times),
    lists: times.length,
    'longest turn in CPU time, ms': await longestTurn(scene),
    'peak RSS MiB': peak / MIB,
    'of the limit (aim 0.7)': peak / limits.memoryBytes,
    seconds,
    ...(typeof came === 'string' ? { answers: came } : {}),
  });
}

/** Namespaces that the cases are about; the other person's own holds 500 Secrets. */
type Namespaces = Readonly<Record<'others' | 'large' | 'tooMany' | 'dear', string>>;

async function arrange(fixture: BenchFixture): Promise<Namespaces> {
  const others = await fixture.fill(500, 2_048);
  const large = await fixture.fill(4_000, 5_600);
  const tooMany = await fixture.fill(5_200, 64);
  const dear = await fixture.fill(1, 64);
  for (const name of ['large', ...UPDATED])
    await fixture.kube.createSecret(dear, nativeSecret(name, { value: 'y'.repeat(1_000 * 1_024) }));
  return { others, large, tooMany, dear };
}

/** A Secret of nearly 1 MiB with ten archived versions of the same size. */
async function archive(url: string, dear: string): Promise<void> {
  const admin = await clientFor(url, ADMIN);
  const path = `${secretsPath(dear)}/large`;
  for (let version = 0; version < 11; version++) {
    const { json } = await admin.get(path);
    const { resourceVersion } = (json as { secret: { resourceVersion: string } }).secret;
    const data = { value: `${version}`.repeat(1_000 * 1_024).slice(0, 1_000 * 1_024) };
    const { status } = await admin.put(path, { resourceVersion, data });
    if (status !== 200) throw new Error(`the large Secret was answered ${status}`);
  }
}

await onBenchFixture(async (fixture) => {
  const scene = await setUp(fixture);
  for (const pid of [scene.service.pid, scene.probe.pid]) goFirst(pid);
  const atRest = memoryOf(scene.service, 'VmRSS');
  try {
    await attacked('nothing', scene, () => sleep(SECONDS));
    await sendBlankContentTypes(scene);
    await sendDearBodies(scene);
    await holdBodies(scene);
    await listAtOnce(scene);
    await useWholeRateLimits(scene);
    await updateAtOnce(scene);
    await connectSlowly(scene, atRest);
  } finally {
    await scene.probe.stop();
  }
});

async function setUp(fixture: BenchFixture): Promise<Scene> {
  const limits = installedLimits();
  const namespaces = await arrange(fixture);
  const turnFile = join(fixture.folder, 'turn');
  const meter = new URL('turn-meter.ts', import.meta.url).href;
  const env = {
    NODE_OPTIONS: profiled(`${limits.nodeOptions} --import=${meter}`),
    BENCH_TURN_FILE: turnFile,
    LOG_LEVEL: 'info',
    SERVICE_RATE_LIMIT: '1200/1m',
  };
  const service = await fixture.service({ env });
  await archive(service.url, namespaces.dear);
  const path = secretsPath(namespaces.others);
  listOf(await (await clientFor(service.url, DEVELOPER_A)).get(path));
  const cookieOfProbe = await sessionCookie(person('probe@example.com', ['team-a']));
  // The rate limit is not what is measured: the probe's own session would meet it.
  const probe = await startChild('test/bench/hostile-probe.ts', [`${service.url}${path}`, cookieOfProbe]);
  let people = 0;
  return {
    turnFile,
    service,
    probe,
    limits,
    namespaces,
    someone: async (groups = ['team-b']) => ({
      url: service.url,
      cookie: await sessionCookie(person(`hostile-${people++}@example.com`, groups)),
    }),
  };
}

async function sendBlankContentTypes(scene: Scene): Promise<void> {
  const from = await scene.someone();
  const path = secretsPath(scene.namespaces.others);
  const blanks = `application/json; charset=${' '.repeat(7_500)}""b`;
  await attacked('content types of 7,500 blanks', scene, () =>
    flood(from, { method: 'POST', path, headers: { 'content-type': blanks } }, 8, SECONDS),
  );
}

async function sendDearBodies(scene: Scene): Promise<void> {
  const path = secretsPath(scene.namespaces.others);
  const bodies = {
    '{"x":[{},{},…]}': Buffer.concat([
      Buffer.from('{"x":[{}'),
      Buffer.from(',{}'.repeat(5_592_000)),
      Buffer.from(']}'),
    ]),
    '[[[[…': Buffer.alloc(16 * MIB - 1, '['),
    'many keys': Buffer.from(
      `{${Array.from({ length: 1_200_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    ),
  };
  for (const [name, body] of Object.entries(bodies)) {
    await attacked(`bodies of 16 MiB, ${name}`, scene, async () =>
      flood(await scene.someone(), { method: 'POST', path, body }, 4, SECONDS),
    );
  }
}

async function holdBodies(scene: Scene): Promise<void> {
  const path = secretsPath(scene.namespaces.others);
  await attacked('40 unfinished bodies of 15 MiB', scene, async () =>
    unfinishedBodies(await scene.someone(), path, 40, SECONDS),
  );
  await attacked('40 connections that keep refused bodies of 4 MiB', scene, async () => {
    const from = await scene.someone();
    const body = Buffer.from(JSON.stringify({ unknown: 'u'.repeat(4 * MIB) }));
    return flood(from, { method: 'POST', path, body }, 40, SECONDS);
  });
}

async function listAtOnce(scene: Scene): Promise<void> {
  const { large, tooMany } = scene.namespaces;
  const live = { path: secretsPath(large), headers: { 'cache-control': 'no-cache' } };
  await attacked('40 live lists of 31 MB at once', scene, async () =>
    flood(await scene.someone(), live, 40, SECONDS),
  );
  await attacked('40 lists of 5,200 Secrets at once', scene, async () =>
    flood(await scene.someone(), { path: secretsPath(tooMany) }, 40, SECONDS),
  );
}

async function useWholeRateLimits(scene: Scene): Promise<void> {
  const collection = secretsPath(scene.namespaces.dear);
  const secret = `${collection}/large`;
  const reads = { 'reads of 1 MiB': secret, 'lists of ten versions of 1 MiB': `${secret}/versions` };
  for (const [name, path] of Object.entries(reads)) {
    await attacked(`a whole rate limit of ${name}`, scene, async () =>
      flood(await scene.someone(['platform-admins']), { path }, 100, 2 * SECONDS, 1_200),
    );
  }
  await attacked('a whole rate limit of writes of 1 MiB', scene, async () => {
    const body = Buffer.from(JSON.stringify({ name: 'large', data: { value: 'z'.repeat(1_000 * 1_024) } }));
    const from = await scene.someone(['platform-admins']);
    return flood(from, { method: 'POST', path: collection, body }, 100, 2 * SECONDS, 1_200);
  });
}

async function updateAtOnce(scene: Scene): Promise<void> {
  const collection = secretsPath(scene.namespaces.dear);
  await attacked('updates of 1 MiB, eight at a time', scene, async () =>
    updates(
      await scene.someone(['platform-admins']),
      UPDATED.map((name) => `${collection}/${name}`),
      'z'.repeat(1_000 * 1_024),
      2 * SECONDS,
    ),
  );
}

async function connectSlowly(scene: Scene, atRest: number): Promise<void> {
  const { service, namespaces } = scene;
  const slow = {
    'never used': neverUsed,
    'with slow headers': slowHeaders,
    'with slow bodies': slowBodies,
    'whose answers are never read': neverRead,
  };
  const before = memoryOf(service, 'VmRSS');
  for (const [name, attack] of Object.entries(slow)) {
    await attacked(`${CONNECTIONS} connections ${name}`, scene, async () =>
      attack(await scene.someone(), secretsPath(namespaces.others), SECONDS),
    );
  }
  await attacked('a minute later', scene, () => sleep(60_000));
  const after = memoryOf(service, 'VmRSS');
  say('memory', {
    'RSS at rest MiB': atRest / MIB,
    'before slow clients': before / MIB,
    'a minute after them': after / MIB,
    'times (aim 1.2)': after / before,
  });
}

/**
 * Attackers and clusters have processors of their own, elsewhere. Here they share this machine's with the service, which
 * is to be measured, not its neighbours; where that may be said to the kernel, it goes before them.
 */
function goFirst(pid: number): void {
  try {
    // Linux keeps a priority for each thread, and the collection of garbage waits for some of them.
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), -15);
  } catch {
    say('the processors are shared evenly', { pid });
  }
}

/** BENCH_NODE_OPTIONS reach the service alone: to profile it, say. */
function profiled(options: string): string {
  return [options, process.env['BENCH_NODE_OPTIONS'] ?? ''].join(' ').trim();
}
