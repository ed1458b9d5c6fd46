import { ADMIN, clientFor } from '../harness/api-client.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { secretOf } from '../harness/answers.ts';
import { secretsOf } from '../harness/secrets-client.ts';
import { onBenchFixture, percentile, say, type BenchFixture } from './fixture.ts';

/** Updates by 16 writers, each of a Secret of its own, against a raw client's GET, POST and PUT. */
const WRITERS = 16;
const ROUNDS = 15;
/** Both take turns, and the middle of the ratios counts. */
const TURNS = 5;
const LIMIT = 5;

await onBenchFixture(async (fixture) => {
  for (const [what, limit, aim] of [
    ['below the history limit', 1_000, 0.85],
    ['at the history limit', LIMIT, 0.6],
  ] as const) {
    const service = await fixture.service({
      env: { LOG_LEVEL: 'warn', SERVICE_HISTORY_LIMIT: String(limit), SERVICE_RATE_LIMIT: 'off' },
    });
    const namespace = await fixture.fill(0, 0);
    const client = await clientFor(service.url, ADMIN);
    const secrets = secretsOf(client, namespace);
    const revisions: string[] = [];
    for (let writer = 0; writer < WRITERS; writer++)
      revisions.push((await secrets.create(`ours-${writer}`)).resourceVersion);
    const ours = () =>
      rate(async (writer) => {
        const body = { resourceVersion: revisions[writer], data: { key: String(Math.random()) } };
        revisions[writer] = secretOf(await client.put(secrets.path(`ours-${writer}`), body)).resourceVersion;
      });
    // Warms up, and fills the histories up to the limit.
    for (let round = 0; round * ROUNDS <= LIMIT; round++) await ours();
    const theirs = await rawWriters(fixture, namespace);
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      rates.push(await ours());
      ratios.push((rates.at(-1) ?? NaN) / (await theirs()));
    }
    say(`updates by ${WRITERS} writers, ${what}`, {
      'per second': percentile(rates, 0.5),
      [`ratio to GET, POST and PUT (aim ${aim})`]: percentile(ratios, 0.5),
      from: Math.min(...ratios),
      to: Math.max(...ratios),
    });
    await service.stop();
  }
});

/** Per second, over all writers. */
async function rate(update: (writer: number) => Promise<unknown>): Promise<number> {
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
