import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createGateway } from '../../src/cluster/transport/gateway.ts';
import { loadCredentials } from '../../src/cluster/credentials/credentials.ts';
import { systemClock } from '../../src/timing/clock.ts';
import { watchSecrets } from '../../src/cluster/stores/watched-secrets.ts';
import { AnnotationCodec } from '../../src/kube/annotation-codec.ts';
import { PlainTable } from '../../src/informers/object-store.ts';
import { createReflector } from '../../src/informers/reflector.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { listItemOf, type ListItem } from '../../src/lists/list-item.ts';

/** The delay of the event loop while 5,000 Secrets of 8 KB are listed again; started by relist-bench.ts. */
const codec = new AnnotationCodec('service.io');
const gateway = createGateway({
  credentials: loadCredentials({ kubeconfig: process.env['KUBECONFIG'] }),
  onCall: () => undefined,
});
let relists = 0;
const countRelist = (): void => {
  relists++;
};
const reflector = createReflector({
  source: watchSecrets<ListItem>(
    gateway,
    codec,
    { without: [] },
    { live: listItemOf, history: () => undefined },
  ),
  createTable: () => new PlainTable<ListItem>(),
  onChange: () => undefined,
  observer: {
    event: () => undefined,
    relist: countRelist,
    forbidden: () => undefined,
    restored: () => undefined,
  },
  logger: createLogger('silent'),
  clock: systemClock,
  random: Math.random,
});
const stop = new AbortController();
const running = reflector.run(stop.signal);
const until = async (count: number): Promise<void> => {
  while (relists < count) await sleep(5);
};
await until(1);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// On a machine that is busy with other things the delay is theirs, too; processor time between two turns is not.
let longestTurn = 0;
let spent = cpuMs();
const turns = setInterval(() => {
  const now = cpuMs();
  longestTurn = Math.max(longestTurn, now - spent);
  spent = now;
}, 1);
const begun = performance.now();
for (let round = 2; round <= 4; round++) {
  reflector.listAgain('difference');
  await until(round);
}
delay.disable();
clearInterval(turns);
process.stdout.write(
  JSON.stringify({
    objects: reflector.objects.size,
    'ms per relist': (performance.now() - begun) / 3,
    'p50 ms': delay.percentile(50) / 1e6,
    'p99 ms (aim 50)': delay.percentile(99) / 1e6,
    'longest ms': delay.max / 1e6,
    'longest in CPU time, ms': longestTurn,
  }),
);
stop.abort();
await running;
await gateway.close();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
