import { setTimeout as sleep } from 'node:timers/promises';
import { onBenchFixture, say, type BenchFixture } from './fixture.ts';

/** Memory once everything is in the cache; the heap after a collection, against a service without a cache. */

/** Has the service collect its garbage twice a second. */
const COLLECTING = '--expose-gc --import=data:text/javascript,setInterval(gc,500).unref()';
const SAMPLES = 8;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

async function measure(fixture: BenchFixture, cache: boolean, count: number): Promise<Memory> {
  const env = { SERVICE_LIST_CACHE: String(cache), LOG_LEVEL: 'warn', NODE_OPTIONS: COLLECTING };
  const service = await fixture.service({ env, waitFor: 'live' });
  const metrics = async (): Promise<string> => (await fetch(`${service.opsUrl}/metrics`)).text();
  const figure = (text: string, name: string): number =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? NaN);
  // For the history all Secrets are followed, with the cache and without it.
  const listed = 'service_watch_relists_total\\{informer="secrets",reason="start"\\}';
  const objects = 'service_cache_objects\\{cache="secrets"\\}';
  const isThere = async (): Promise<boolean> => {
    const text = await metrics();
    return figure(text, listed) >= 1 && (!cache || figure(text, objects) >= count);
  };
  while (!(await isThere())) await sleep(100);
  const samples: Memory[] = [];
  while (samples.length < SAMPLES) {
    await sleep(500);
    const text = await metrics();
    samples.push({
      heap: figure(text, 'nodejs_heap_size_used_bytes'),
      rss: figure(text, 'process_resident_memory_bytes'),
    });
  }
  await service.stop();
  // The metrics themselves make some garbage between a collection and the reading.
  return { heap: Math.min(...samples.map(({ heap }) => heap)), rss: samples.at(-1)?.rss ?? NaN };
}

async function compare(fixture: BenchFixture, count: number, bytes: number): Promise<void> {
  const without = await measure(fixture, false, count);
  const cached = await measure(fixture, true, count);
  say(`memory with ${count} Secrets of ${bytes} bytes`, {
    'RSS MiB': cached.rss / 2 ** 20,
    'without the cache': without.rss / 2 ** 20,
    'heap bytes per Secret (aim 1200)': (cached.heap - without.heap) / count,
  });
}

await onBenchFixture(async (fixture) => {
  await fixture.fill(5_000, 2_048);
  await compare(fixture, 5_000, 2_048);
  for (let more = 0; more < 3; more++) await fixture.fill(5_000, 2_048);
  await compare(fixture, 20_000, 2_048);
});
await onBenchFixture(async (fixture) => {
  await fixture.fill(5_000, 8_192);
  await compare(fixture, 5_000, 8_192);
});
