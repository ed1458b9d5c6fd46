import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, clientFor, DEVELOPER_A, person, sessionCookie } from '../harness/api-client.ts';
import { listOf } from '../harness/answers.ts';
import type { KubeClient } from '../harness/kube-client.ts';
import { nativeSecret, secretsPath } from '../harness/secret-paths.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import { startChild, type Child } from './child.ts';
import { percentile, say, type BenchFixture } from './fixture.ts';
import type { Target } from './hostile-clients.ts';
import { installedLimits, memoryOf, type Limits } from './installed-limits.ts';

export const SECONDS = 8_000;
export const MIB = 2 ** 20;
/** Secrets that are updated all at the same time: as many as one person's requests are worked on at once. */
export const UPDATED = Array.from({ length: 8 }, (_, index) => `updated-${index}`);

/** From now on the peak is a new one (proc(5), clear_refs). */
function forgetPeak({ pid }: ServiceProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export interface Scene {
  /** Where the service writes its longest turn of the event loop. */
  readonly turnFile: string;
  readonly service: ServiceProcess;
  readonly probe: Child;
  readonly limits: Limits;
  readonly namespaces: Namespaces;
  readonly kube: KubeClient;
  /** A namespace for one attack alone. */
  readonly namespace: () => Promise<string>;
  /** A person who has not used up anything yet; of team-b, unless said otherwise. */
  readonly someone: (groups?: readonly string[]) => Promise<Target>;
  /** Another session of the last one. */
  readonly again: () => Promise<Target>;
}

/** The longest turn of the event loop since the last call of this, in milliseconds of processor time. */
async function longestTurn({ service, turnFile }: Scene): Promise<number> {
  rmSync(turnFile, { force: true });
  service.signal('SIGUSR2');
  while (!existsSync(turnFile) || readFileSync(turnFile, 'utf8') === '') await sleep(10);
  return Number(readFileSync(turnFile, 'utf8'));
}

/** BENCH_ONLY names the cases that are run by parts of what they are called, as in `DSA|deleted`. */
export function isWanted(what: string): boolean {
  return (process.env['BENCH_ONLY'] ?? '').split('|').some((part) => what.includes(part));
}

/** Runs an attack while another person lists, and says how they fare. */
export async function attacked(what: string, scene: Scene, attack: () => Promise<unknown>): Promise<void> {
  const { service, probe, limits } = scene;
  if (!isWanted(what)) return;
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
export type Namespaces = Readonly<Record<'others' | 'large' | 'tooMany' | 'dear', string>>;

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

export async function setUp(fixture: BenchFixture): Promise<Scene> {
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
  for (const pid of [service.pid, probe.pid]) goFirst(pid);
  let [people, sessions] = [0, 0];
  let [last, lastGroups]: [string, readonly string[]] = ['', []];
  const session = async (): Promise<Target> => {
    const user = { ...person(last, lastGroups), name: `session ${sessions++}` };
    return { url: service.url, cookie: await sessionCookie(user) };
  };
  return {
    kube: fixture.kube,
    namespace: () => fixture.fill(0, 0),
    turnFile,
    service,
    probe,
    limits,
    namespaces,
    someone: (groups = ['team-b']) => {
      [last, lastGroups] = [`hostile-${people++}@example.com`, groups];
      return session();
    },
    again: session,
  };
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
