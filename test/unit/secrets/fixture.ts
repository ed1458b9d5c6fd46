import type { AccessLevel } from '../../../src/contract/access-rules.ts';
import type { Actor } from '../../../src/access/actor.ts';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { createHistory, type HistoryIndex } from '../../../src/history/history.ts';
import { snapshotName } from '../../../src/history/snapshot/snapshot.ts';
import type { CreateRequest, RestoreRequest, UpdateRequest } from '../../../src/secrets/input.ts';
import { createCompressor } from '../../../src/lists/list-body.ts';
import type { ListCache } from '../../../src/lists/list-cache.ts';
import type { ListOutcome } from '../../../src/lists/list-cache.ts';
import { createLists, type Lists } from '../../../src/lists/lists.ts';
import { createSecretsService, type SecretsService } from '../../../src/secrets/secrets-service.ts';
import { createSeal } from '../../../src/secrets/seal.ts';
import type { SecretStore } from '../../../src/secrets/ports.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { createFakeCluster, type FakeCluster } from '../../fakes/fake-cluster.ts';
import { createFakeHistoryIndex } from '../../fakes/fake-history-index.ts';
import type { FakeSecret } from '../../fakes/fake-objects.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor } from '../access/users.ts';
import { deadline, names, REF } from '../history/live-secret.ts';
import { codec } from '../../fakes/annotations.ts';
import { inScope, refInScope } from '../../fakes/in-scope.ts';

export const NOW = new Date('2026-03-04T05:06:07.089Z');

/** The use cases over a cluster in memory, with shortcuts for the Secret `team-a/db`. */
export interface Fixture {
  readonly cluster: FakeCluster;
  readonly service: SecretsService;
  readonly lists: Lists;
  readonly create: (request?: Partial<CreateRequest>, who?: Actor) => ReturnType<SecretsService['create']>;
  /** Authorizes the Secret and updates it under the revision that the request names, or the live one. */
  readonly update: (request?: Partial<UpdateRequest>, who?: Actor) => ReturnType<SecretsService['update']>;
  readonly restore: (
    version: number,
    request?: Partial<Omit<RestoreRequest, 'version'>>,
    who?: Actor,
  ) => ReturnType<SecretsService['restore']>;
  readonly remove: (
    request?: { resourceVersion?: string; keepHistory?: boolean; archive?: boolean },
    who?: Actor,
  ) => ReturnType<SecretsService['delete']>;
  readonly versions: (who?: Actor) => ReturnType<SecretsService['listVersions']>;
  readonly version: (version: number, who?: Actor) => ReturnType<SecretsService['readVersion']>;
  /** The live Secret as the cluster holds it, without recording a call. */
  readonly live: () => FakeSecret;
  /** The stored snapshot of one version of the live Secret. */
  readonly snapshot: (version: number) => FakeSecret | undefined;
  /** The history objects of the namespace, by version. */
  readonly archived: () => readonly number[];
}

export interface FixtureOptions {
  readonly historyLimit?: number;
  readonly orphanTtlMs?: number;
  readonly managedOnly?: boolean;
  readonly scope?: readonly string[];
  readonly listCache?: ListCache;
  readonly countRefusal?: (bound: string) => void;
  /** Up to date by default; `none` for a replica whose watch has not got that far. */
  readonly historyIndex?: HistoryIndex | 'none';
  readonly onList?: (outcome: ListOutcome) => void;
  /** What the service does to live Secrets goes through it. */
  readonly notifying?: (store: SecretStore) => SecretStore;
}

export function createFixture(options: FixtureOptions = {}): Fixture {
  const cluster = createFakeCluster();
  const service = serviceOver(cluster, options);
  return {
    cluster,
    service,
    lists: listsOver(cluster, options),
    ...shortcuts(cluster, service),
    ...views(cluster),
  };
}

function serviceOver(
  cluster: FakeCluster,
  {
    historyLimit = 10,
    orphanTtlMs,
    managedOnly = false,
    scope,
    historyIndex,
    notifying = (store) => store,
  }: FixtureOptions,
): SecretsService {
  const { policies, namespaces, secrets: store } = cluster;
  const index = historyIndex === 'none' ? undefined : (historyIndex ?? createFakeHistoryIndex(cluster));
  return createSecretsService({
    store: notifying(store),
    history: createHistory({ store, codec, limit: historyLimit, index }),
    authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(scope) }),
    codec,
    managedOnly,
    tokenSeal: createSeal(new Uint8Array(32)),
    orphanTtlMs,
    now: () => NOW,
  });
}

function listsOver(
  { policies, namespaces, secrets: store }: FakeCluster,
  {
    managedOnly = false,
    scope,
    listCache,
    countRefusal = () => undefined,
    onList = () => undefined,
  }: FixtureOptions,
): Lists {
  return createLists({
    store,
    authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(scope) }),
    codec,
    managedOnly,
    listCache,
    compress: createCompressor(),
    tokenKey: new Uint8Array(32),
    clock: systemClock,
    countRefusal,
    onList,
  });
}

function shortcuts(
  cluster: FakeCluster,
  service: SecretsService,
): Pick<Fixture, 'create' | 'update' | 'restore' | 'remove' | 'versions' | 'version'> {
  const revision = () => cluster.peek(REF)?.resourceVersion ?? 'none';
  // With the level that the route requires.
  const authorize = <Level extends AccessLevel>(who: Actor, level: Level) =>
    service.authorize(who, { ...refInScope(REF), level }, deadline);
  return {
    create: (more, who = actor()) => {
      const request = () => ({ ...EMPTY_CREATE, ...more });
      return service.create({ actor: who, namespace: inScope(REF.namespace), request }, deadline);
    },
    update: async (request, who = actor()) => {
      const resourceVersion = revision();
      return service.update(
        await authorize(who, 'write'),
        { ...EMPTY_UPDATE, resourceVersion, ...request },
        deadline,
      );
    },
    restore: async (version, request, who = actor()) => {
      const resourceVersion = revision();
      const wanted = { ...EMPTY_RESTORE, resourceVersion, version, ...request };
      return service.restore(await authorize(who, 'write'), wanted, deadline);
    },
    remove: async (request, who = actor()) => {
      const resourceVersion = revision();
      return service.delete(
        await authorize(who, 'manage'),
        { resourceVersion, keepHistory: false, archive: false, ...request },
        deadline,
      );
    },
    versions: async (who = actor()) => service.listVersions(await authorize(who, 'read'), deadline),
    version: async (version, who = actor()) =>
      service.readVersion(await authorize(who, 'read'), version, deadline),
  };
}

function views(cluster: FakeCluster): Pick<Fixture, 'live' | 'snapshot' | 'archived'> {
  const live = () => {
    const secret = cluster.peek(REF);
    if (secret === undefined) throw new Error('the live Secret is not there');
    return secret;
  };
  return {
    live,
    snapshot: (version) => {
      const { namespace, name, uid } = live();
      return cluster.peek({ namespace, name: snapshotName(name, version, uid) });
    },
    archived: () =>
      cluster
        .all()
        .flatMap(({ annotations }) => annotations.get(names.historyVersion) ?? [])
        .map(Number)
        .sort((one, other) => one - other),
  };
}

const EMPTY_CREATE: CreateRequest = {
  name: REF.name,
  type: undefined,
  data: undefined,
  stringData: undefined,
  description: undefined,
  allowedGroups: undefined,
  allowedUsers: undefined,
};

const EMPTY_RESTORE = { sourceResourceVersion: undefined, recoverCounter: false };

const EMPTY_UPDATE: UpdateRequest = {
  resourceVersion: '',
  data: undefined,
  description: undefined,
  allowedGroups: undefined,
  allowedUsers: undefined,
  recoverCounter: false,
};

export function textData(values: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values));
}

/** Everything that the cluster holds, to prove that nothing has changed. */
export function stateOf(cluster: FakeCluster): readonly FakeSecret[] {
  return cluster.all();
}
