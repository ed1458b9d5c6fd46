import { join } from 'node:path';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { createSecretStore } from '../../../src/cluster/stores/secret-store.ts';
import { createWorkloadStore } from '../../../src/cluster/stores/workload-store.ts';
import { createGateway, type Gateway } from '../../../src/cluster/transport/gateway.ts';
import type { ClusterRequest } from '../../../src/cluster/transport/request.ts';
import { createHistory } from '../../../src/history/history.ts';
import { AnnotationCodec } from '../../../src/kube/annotation-codec.ts';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { createDeletedLists } from '../../../src/secrets/deleted-secrets.ts';
import { createLiveLists } from '../../../src/lists/live-lists.ts';
import { createVersionLists } from '../../../src/secrets/versions.ts';
import { startDeadline } from '../../../src/timing/deadline.ts';
import type { AuthorizedSecret } from '../../../src/secrets/authorize.ts';
import { createConsumers } from '../../../src/workloads/consumers.ts';
import { snapshotWithinList, type HeapMoment } from './heap-moment.ts';

// Lists what the service lists live, and writes a heap snapshot within each list:
// inventories-process.ts <kubeconfig> <folder> <namespace>, of whose first Secret there is history

const [kubeconfig = '', folder = '', namespace = ''] = process.argv.slice(2);
const name = 'kept-name-0';
/** Fewer than a page of them has. */
const EACH = 50;

interface Inventory {
  /** Of which of its requests the moment is. */
  readonly within?: (request: ClusterRequest) => boolean;
  readonly list: () => Promise<unknown>;
}

const connected = createGateway({ credentials: loadCredentials({ kubeconfig }), onCall: () => undefined });
let observed:
  | { readonly moment: HeapMoment; readonly within: (request: ClusterRequest) => boolean }
  | undefined;
const gateway: Pick<Gateway, 'request'> = {
  async request(request, deadline) {
    const reply = await connected.request(request, deadline);
    const { moment, within } = observed ?? {};
    if (reply.items === undefined || within?.(request) !== true) return reply;
    const items = Iterator.from(reply.items).map((item) => {
      moment?.processed();
      return item;
    });
    return { ...reply, items };
  },
};
const codec = new AnnotationCodec('service.io');
const store = createSecretStore(gateway, codec);
const history = createHistory({ store, codec, limit: 10, index: undefined });
const countRefusal = (): undefined => undefined;
const deadline = () => startDeadline(60_000);

/** Without its values: a request holds those of its own Secret until it ends. */
async function readLive(): Promise<StoredSecret> {
  const found = await store.read({ namespace, name }, deadline());
  if (found === undefined) throw new Error('the Secret is missing');
  return { ...found, data: new Map(), annotations: new Map(), native: undefined };
}

const deleted = createDeletedLists({ history, orphanTtlMs: undefined });
const consumers = createConsumers(createWorkloadStore(gateway), () => new Date());

const live = await readLive();

const INVENTORIES: Readonly<Record<string, Inventory>> = {
  live: {
    list: () =>
      createLiveLists({ store, codec, listCache: undefined, countRefusal }).join(namespace, deadline()),
  },
  versions: {
    list: () => createVersionLists({ history }).join(live, deadline()),
  },
  deleted: {
    within: () => true,
    list: () => deleted.join(namespace, deadline()),
  },
  liveOfDeleted: {
    within: ({ asMetadata }) => asMetadata === true,
    list: () => deleted.join(namespace, deadline()),
  },
  freeVersion: { list: () => history.freeVersion(live, 1, deadline()) },
  consumers: {
    within: ({ resource }) => resource.plural === 'deployments',
    list: () => consumers.list({ live } as AuthorizedSecret, { progress: false }, deadline()),
  },
};

const processed: Record<string, number> = {};
for (const [what, { within = () => true, list }] of Object.entries(INVENTORIES)) {
  const moment = snapshotWithinList(join(folder, `${what}.heapsnapshot`), EACH);
  observed = { moment, within };
  const listed = list();
  processed[what] = await moment.written;
  await listed;
}
await connected.close();
console.log(JSON.stringify(processed));
