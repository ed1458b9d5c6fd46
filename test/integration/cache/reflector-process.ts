import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { historyOf } from '../../../src/app/secrets-watch.ts';
import { cachedSecretOf } from '../../../src/caches/cached-secret.ts';
import { createSecretTable, type SecretRecord } from '../../../src/caches/secret-table.ts';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { watchSecrets } from '../../../src/cluster/stores/watched-secrets.ts';
import { createGateway } from '../../../src/cluster/transport/gateway.ts';
import { createReflector } from '../../../src/informers/reflector.ts';
import { AnnotationCodec } from '../../../src/kube/annotation-codec.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { snapshotWithinList } from './heap-moment.ts';

// Follows all Secrets of a cluster as the service does, and writes a heap snapshot within the first list, one within the second,
// and one after an event: reflector-process.ts <kubeconfig> <folder>

const [kubeconfig = '', folder = ''] = process.argv.slice(2);
/** Fewer than a page of them has. */
const EACH = 50;

const gateway = createGateway({ credentials: loadCredentials({ kubeconfig }), onCall: () => undefined });
const list = snapshotWithinList(join(folder, 'list.heapsnapshot'), EACH);
const relist = snapshotWithinList(join(folder, 'relist.heapsnapshot'), EACH);
const listed = Promise.withResolvers<undefined>();
const relisted = Promise.withResolvers<undefined>();
const changed = Promise.withResolvers<undefined>();
let [moment, committed] = [list, listed];

const reflector = createReflector({
  source: watchSecrets<SecretRecord>(
    gateway,
    new AnnotationCodec('service.io'),
    { without: [] },
    {
      live: (secret) => {
        moment.processed();
        return cachedSecretOf(secret);
      },
      history: (metadata) => {
        const history = historyOf(metadata);
        if (history !== undefined) moment.processed();
        return history;
      },
    },
  ),
  createTable: () => createSecretTable(),
  onChange: ({ value, previous }) => {
    if (value !== undefined && previous !== undefined) changed.resolve(undefined);
  },
  observer: {
    event: () => undefined,
    relist: () => {
      committed.resolve(undefined);
    },
    forbidden: () => undefined,
    restored: () => undefined,
  },
  logger: createLogger('error'),
  clock: systemClock,
  random: () => 0.5,
});
const stop = new AbortController();
const running = reflector.run(stop.signal);
await listed.promise;
const withinList = await list.written;
[moment, committed] = [relist, relisted];
reflector.listAgain('difference');
await relisted.promise;
const withinRelist = await relist.written;
console.log('listed');
await changed.promise;
setImmediate(() => {
  writeHeapSnapshot(join(folder, 'event.heapsnapshot'));
  console.log(JSON.stringify({ objects: reflector.objects.live.size, withinList, withinRelist }));
  stop.abort();
});
await running;
await gateway.close();
