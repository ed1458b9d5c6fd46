import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import { compare } from '../../../src/caches/cache-audit.ts';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { watchSecretIdentities } from '../../../src/cluster/stores/secret-metadata.ts';
import { createGateway } from '../../../src/cluster/transport/gateway.ts';
import type { WatchedObject } from '../../../src/informers/ports.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { systemClock } from '../../../src/timing/clock.ts';

// Compares an empty cache with a cluster, as the service does every ten minutes, and writes a heap snapshot in the turn after
// the first object has arrived, and one in the pause between the two lists: check-process.ts <kubeconfig> <during> <pause>

const [kubeconfig = '', during = '', pause = ''] = process.argv.slice(2);

const gateway = createGateway({ credentials: loadCredentials({ kubeconfig }), onCall: () => undefined });
const names: string[] = [];
let snapshot: Promise<void> | undefined;

async function snapshotInNextTurn(): Promise<void> {
  await nextTurn();
  writeHeapSnapshot(during);
}

const { outcome, differences } = await compare(
  {
    reflector: {
      objects: {
        get: (_namespace: string, name: string): WatchedObject | undefined => {
          names.push(name);
          snapshot ??= snapshotInNextTurn();
          return undefined;
        },
        values: () => [].values(),
      },
      status: () => ({ synced: true, revision: '1', silenceMs: 0, isForbidden: false }),
      listAgain: () => undefined,
    },
    metadata: watchSecretIdentities(gateway, { without: [] }),
    onResult: () => undefined,
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
await snapshot;
await gateway.close();
console.log(JSON.stringify({ outcome, differences, seen: names.length }));
