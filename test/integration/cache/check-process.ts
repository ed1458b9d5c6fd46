import { writeHeapSnapshot } from 'node:v8';
import { compare } from '../../../src/caches/cache-audit.ts';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { watchSecretIdentities } from '../../../src/cluster/stores/watched-secrets.ts';
import { createGateway } from '../../../src/cluster/transport/gateway.ts';
import type { WatchedObject } from '../../../src/informers/ports.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { snapshotWithinList } from './heap-moment.ts';

// Compares an empty cache with a cluster, as the service does every ten minutes, and writes a heap snapshot while the list is
// processed, and one in the pause between the two lists: check-process.ts <kubeconfig> <during> <pause>

const [kubeconfig = '', during = '', pause = ''] = process.argv.slice(2);

const gateway = createGateway({ credentials: loadCredentials({ kubeconfig }), onCall: () => undefined });
const names: string[] = [];
const moment = snapshotWithinList(during, 50);

const { outcome, differences } = await compare(
  {
    reflector: {
      objects: {
        get: (_namespace: string, name: string): WatchedObject | undefined => {
          names.push(name);
          moment.processed();
          return undefined;
        },
        values: () => [].values(),
      },
      status: () => ({ synced: true, revision: '1', silenceMs: 0, isForbidden: false }),
      listAgain: () => undefined,
    },
    metadata: watchSecretIdentities(gateway, { without: [] }),
    metrics: { inc: () => undefined },
    logger: createLogger('error', { write: () => undefined }),
    clock: {
      ...systemClock,
      sleep: () => {
        writeHeapSnapshot(pause);
        return Promise.resolve();
      },
    },
    random: () => 0.5,
  },
  new AbortController().signal,
);
const processed = await moment.written;
await gateway.close();
console.log(JSON.stringify({ outcome, differences, seen: names.length, processed }));
