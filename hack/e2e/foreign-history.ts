import { SYSTEM_NAMESPACES } from '../../src/access/namespace-scope.ts';
import { startDeadline, type Deadline } from '../../src/timing/deadline.ts';
import { loadCredentials } from '../../src/cluster/credentials/credentials.ts';
import { createGateway, type Gateway } from '../../src/cluster/transport/gateway.ts';
import { createSecretMetadataStore, watchSecretMetadata } from '../../src/cluster/stores/secret-metadata.ts';
import { createAnnotationCodec } from '../../src/kube/annotation-codec.ts';
import { annotationNames, HISTORY_KIND } from '../../src/kube/annotation-names.ts';
import type { SecretMetadata } from '../../src/kube/secret.ts';
import { decide } from '../../src/history/reconciler/decide.ts';
import {
  isSnapshot,
  keyOf,
  partsOf,
  toIndexed,
  type IndexedSnapshot,
} from '../../src/history/reconciler/indexed-secret.ts';
import { listAll } from '../../src/informers/list-all.ts';

/** The limit of history of the service that a run starts; the suite expects the default. */
export const HISTORY_LIMIT = 10;

const PREFIX = 'service.io';
const codec = createAnnotationCodec(PREFIX);
const BUDGET_MS = 60_000;

/** The history of one Secret, of which a run's service would prune something. */
export interface Endangered {
  readonly namespace: string;
  readonly name: string;
  readonly snapshots: number;
}

/**
 * Looks at all history in the cluster, by metadata alone, with the eyes of the reconciler that a run starts: it keeps the
 * history of the whole cluster in order, by its own limit. An installation that is there may have a higher one.
 */
export async function endangeredHistory(kubeconfigFile: string): Promise<readonly Endangered[]> {
  const credentials = loadCredentials({ kubeconfig: kubeconfigFile });
  const gateway = createGateway({ credentials, onCall: () => undefined });
  const deadline = startDeadline(BUDGET_MS);
  const store = createSecretMetadataStore(gateway, codec);
  try {
    const endangered: Endangered[] = [];
    for (const { uid, name, snapshots } of groupsOf(await readSnapshots(gateway, deadline))) {
      if (!isPruned(snapshots)) continue;
      const namespace = snapshots[0]?.namespace ?? '';
      const live = await store.read({ namespace, name }, deadline);
      // Of a Secret that is gone, or is another one by now, nothing is pruned.
      if (live?.uid === uid) endangered.push({ namespace, name, snapshots: snapshots.length });
    }
    return endangered;
  } finally {
    await gateway.close();
  }
}

interface Group {
  readonly uid: string;
  /** Of the live Secret. */
  readonly name: string;
  readonly snapshots: readonly IndexedSnapshot[];
}

async function readSnapshots(gateway: Gateway, deadline: Deadline): Promise<readonly IndexedSnapshot[]> {
  const history = watchSecretMetadata(
    gateway,
    codec,
    { without: SYSTEM_NAMESPACES },
    `${annotationNames(PREFIX).kind}=${HISTORY_KIND}`,
  );
  const snapshots: IndexedSnapshot[] = [];
  const take = (object: SecretMetadata): void => {
    const indexed = toIndexed(object);
    if (indexed.kind === 'history' && isSnapshot(indexed)) snapshots.push(indexed);
  };
  await listAll(history, take, deadline.signal);
  return snapshots;
}

function groupsOf(snapshots: readonly IndexedSnapshot[]): readonly Group[] {
  const groups = Map.groupBy(snapshots, (one) => `${keyOf(one)}/${one.parsed.of}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{ uid: partsOf(keyOf(first)).uid, name: first.parsed.of, snapshots: group }];
  });
}

function isPruned(snapshots: readonly IndexedSnapshot[]): boolean {
  const rules = { limit: HISTORY_LIMIT, orphanTtlMs: undefined };
  // As if every source had been replaced: only the cluster can confirm that.
  const live = { state: 'present', resourceVersion: '9'.repeat(40) } as const;
  return decide(snapshots, live, rules, Date.now()).steps.some(({ kind }) => kind === 'prune');
}
