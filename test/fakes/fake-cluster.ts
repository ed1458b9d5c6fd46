import { ServiceError } from '../../src/errors/service-error.ts';
import type { NamespaceStore } from '../../src/access/namespace-list.ts';
import type { PolicyStore, StoredPolicy } from '../../src/access/policy.ts';
import type { SecretRef } from '../../src/kube/secret.ts';
import type { SecretStore } from '../../src/secrets/ports.ts';
import { createJournal, type Journal } from './fake-journal.ts';
import { draftOf, type FakeSecret, type SecretSeed } from './fake-objects.ts';
import { createFakeSecretStore, type FakeClusterState, type FakeSecretStore } from './fake-secret-store.ts';

/**
 * A cluster in memory, for the tests of the domain. Its stores keep the promises of the ports as the real
 * ones do: test/contract/ports holds both to the same suite. The rest is the test's hand in the cluster.
 */
export interface FakeCluster extends Pick<Journal, 'calls' | 'on' | 'fail'> {
  readonly secrets: SecretStore;
  readonly policies: PolicyStore;
  readonly namespaces: NamespaceStore;
  addNamespace(name: string): void;
  /** Puts a Secret in without recording a call. */
  seed(seed: SecretSeed): FakeSecret;
  /** What is stored now, without recording a call. */
  peek(ref: SecretRef): FakeSecret | undefined;
  all(): readonly FakeSecret[];
  /** The newest revision. */
  revision(): number;
  /** Another client's change: merged into the object, which gets a new revision. */
  touch(ref: SecretRef, change?: Partial<FakeSecret>): FakeSecret;
  /** Another client's deletion, finalizers or not. */
  remove(ref: SecretRef): void;
  /** Removes the finalizers; a Secret whose deletion waited for them goes. */
  release(ref: SecretRef): void;
  /** Sets a namespace's policy, or removes it. */
  setPolicy(
    namespace: string,
    data: Readonly<Record<string, string>> | undefined,
    binaryKeys?: readonly string[],
  ): void;
  /** Changes every object from now on as it is created, as an admission webhook does. */
  readonly mutate: FakeSecretStore['mutate'];
  expireContinueTokens(): void;
}

/** Starts empty, with the namespaces named (`team-a` and `team-b` by default). */
export function createFakeCluster({
  namespaces = ['team-a', 'team-b'],
}: { namespaces?: readonly string[] } = {}): FakeCluster {
  const journal = createJournal();
  const state = createState(new Set(namespaces));
  const store = createFakeSecretStore(state, journal);
  const policies = new Map<string, StoredPolicy>();
  return {
    calls: journal.calls,
    on: journal.on,
    fail: journal.fail,
    secrets: store,
    ...policiesAndNamespaces(policies, state, journal),
    ...backDoor(store),
    revision: () => Number(state.revision()),
    addNamespace: (name) => void state.namespaces.add(name),
    setPolicy: (namespace, data, binaryKeys = []) => {
      if (data === undefined) policies.delete(namespace);
      else {
        const resourceVersion = state.nextRevision();
        policies.set(namespace, {
          namespace,
          resourceVersion,
          data: new Map(Object.entries(data)),
          binaryKeys,
        });
      }
    },
  };
}

function policiesAndNamespaces(
  policies: ReadonlyMap<string, StoredPolicy>,
  state: FakeClusterState,
  journal: Journal,
): Pick<FakeCluster, 'policies' | 'namespaces'> {
  return {
    policies: {
      read: (namespace, deadline) =>
        journal.run({ method: 'policies.read', namespace }, deadline, () => policies.get(namespace)),
      readAll: (deadline) =>
        journal.run({ method: 'policies.readAll' }, deadline, () => [...policies.values()]),
    },
    namespaces: {
      names: (deadline) => journal.run({ method: 'namespaces.names' }, deadline, () => [...state.namespaces]),
    },
  };
}

function backDoor(
  store: FakeSecretStore,
): Pick<
  FakeCluster,
  'seed' | 'peek' | 'all' | 'touch' | 'remove' | 'release' | 'mutate' | 'expireContinueTokens'
> {
  const existing = (ref: SecretRef): FakeSecret => {
    const secret = store.peek(ref);
    if (secret === undefined) throw new ServiceError('notFound', 'The test names a Secret that is not there');
    return secret;
  };
  return {
    seed: (seed) => store.insert(draftOf(seed), seed.finalizers ?? []),
    peek: store.peek,
    all: store.all,
    touch: (ref, change = {}) => store.overwrite({ ...existing(ref), ...change }),
    remove: store.remove,
    release: (ref) => {
      const secret = existing(ref);
      if (secret.deletionTimestamp === undefined) store.overwrite({ ...secret, finalizers: [] });
      else store.remove(ref);
    },
    mutate: store.mutate,
    expireContinueTokens: store.expireTokens,
  };
}

/** Revisions, uids and times count up, so that runs are alike. */
function createState(namespaces: Set<string>): FakeClusterState & { readonly namespaces: Set<string> } {
  let revision = 1_000;
  let uids = 0;
  const epoch = Date.parse('2026-01-01T00:00:00Z');
  return {
    namespaces,
    revision: () => String(revision),
    nextRevision: () => String(++revision),
    nextUid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
    now: () => new Date(epoch + (revision - 1_000) * 1_000).toISOString().replace('.000Z', 'Z'),
  };
}
