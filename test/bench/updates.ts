import { clientFor, person } from '../harness/api-client.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { secretOf } from '../harness/answers.ts';
import { secretsOf } from '../harness/secrets-client.ts';
import { onBenchFixture, percentile, say, timed, type BenchFixture } from './fixture.ts';

/**
 * Updates by 16 writers, each of a Secret of its own, against a raw client's GET, POST and PUT; reads of one Secret against a
 * raw GET. Each writer is a person: one person may have 8 requests under way.
 */
const WRITERS = 16;
const ROUNDS = 15;
/** Both take turns, and the middle of the ratios counts. */
const TURNS = 5;
const LIMIT = 5;
const READS = 200;

await onBenchFixture(async (fixture) => {
  for (const [what, limit, aim] of [
    ['below the history limit', 1_000, 0.85],
    ['at the history limit', LIMIT, 0.6],
  ] as const) {
    const service = await fixture.service({
      env: { LOG_LEVEL: 'warn', SERVICE_HISTORY_LIMIT: String(limit), SERVICE_RATE_LIMIT: 'off' },
    });
    const namespace = await fixture.fill(0, 0);
    const writers = await writersOf(service, namespace);
    const ours = () => rate((writer) => writers[writer]?.update());
    // Warms up, and fills the histories up to the limit.
    for (let round = 0; round * ROUNDS <= LIMIT; round++) await ours();
    const theirs = await rawWriters(fixture, namespace);
    const ratios: number[] = [];
    const rates: number[] = [];
    const cpuMs: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const before = await cpuSecondsOf(service);
      rates.push(await ours());
      cpuMs.push(((await cpuSecondsOf(service)) - before) * (1_000 / (WRITERS * ROUNDS)));
      ratios.push((rates.at(-1) ?? NaN) / (await theirs()));
    }
    say(`updates by ${WRITERS} writers, ${what}`, {
      'per second': percentile(rates, 0.5),
      [`ratio to GET, POST and PUT (aim ${aim})`]: percentile(ratios, 0.5),
      from: Math.min(...ratios),
      to: Math.max(...ratios),
      'processor time of the service per update ms': percentile(cpuMs, 0.5),
    });
    if (limit !== LIMIT) await reads(fixture, { service, namespace, read: writers[0]?.read });
    await service.stop();
  }
});

interface Writer {
  readonly update: () => Promise<void>;
  readonly read: () => Promise<unknown>;
}

async function writersOf({ url }: ServiceProcess, namespace: string): Promise<readonly Writer[]> {
  return Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const client = await clientFor(url, person(`writer-${writer}@example.com`, ['platform-admins']));
      const secrets = secretsOf(client, namespace);
      const name = `ours-${writer}`;
      let { resourceVersion } = await secrets.create(name);
      return {
        update: async () => {
          const body = { resourceVersion, data: { key: String(Math.random()) } };
          ({ resourceVersion } = secretOf(await client.put(secrets.path(name), body)));
        },
        read: () => secrets.read(name),
      };
    }),
  );
}

interface Read {
  readonly service: ServiceProcess;
  readonly namespace: string;
  readonly read: Writer['read'] | undefined;
}

/** One at a time, in turns with the raw client. */
async function reads({ kube }: BenchFixture, { service, namespace, read }: Read): Promise<void> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  const cpuMs: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const before = await cpuSecondsOf(service);
    times.ours.push(...(await timed(READS, async () => read?.())));
    // One more warms up.
    cpuMs.push(((await cpuSecondsOf(service)) - before) * (1_000 / (READS + 1)));
    times.theirs.push(...(await timed(READS, () => kube.getSecret(namespace, 'theirs-0'))));
  }
  const [ours, theirs] = [percentile(times.ours, 0.5), percentile(times.theirs, 0.5)];
  say('read of one, p50', {
    ms: ours,
    'of a raw GET': theirs,
    'ratio (aim 2)': ours / theirs,
    'processor time of the service per read ms': percentile(cpuMs, 0.5),
  });
}

async function cpuSecondsOf({ opsUrl }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (.*)$/m.exec(metrics)?.[1]);
}

/** Per second, over all writers. */
async function rate(update: (writer: number) => Promise<unknown> | undefined): Promise<number> {
  const begun = performance.now();
  const work = async (writer: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) await update(writer);
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));
  return (WRITERS * ROUNDS * 1_000) / (performance.now() - begun);
}

/** What an update costs at least: the live object is read, a copy is stored, the live object is replaced. */
async function rawWriters({ kube }: BenchFixture, namespace: string): Promise<() => Promise<number>> {
  let copies = 0;
  for (let writer = 0; writer < WRITERS; writer++)
    await kube.createSecret(namespace, nativeSecret(`theirs-${writer}`, { key: 'value' }));
  return () =>
    rate(async (writer) => {
      const live = await kube.getSecret(namespace, `theirs-${writer}`);
      if (live === undefined) throw new Error('the Secret is gone');
      await kube.createSecret(namespace, nativeSecret(`copy-${++copies}`, { key: 'value' }));
      await kube.replaceSecret(namespace, {
        ...live,
        data: { key: btoa(String(Math.random())) },
      });
    });
}
