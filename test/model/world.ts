import { createAccessGate } from '../../src/access/gate.ts';
import type { Actor } from '../../src/access/actor.ts';
import { isServiceError } from '../../src/errors/service-error.ts';
import type { SecretMetadata } from '../../src/history/ports.ts';
import { createHistoryReconcile } from '../../src/history/reconciler/reconcile.ts';
import { keyOf, track, type Tracked, type TrackedHistory } from '../../src/history/reconciler/tracked.ts';
import type { SnapshotMarks } from '../../src/history/snapshot.ts';
import { createListAnswers } from '../../src/secrets/list-answers.ts';
import { createSecretsService, type SecretsService } from '../../src/secrets/secrets-service.ts';
import { unhurriedCall } from '../fakes/fake-call.ts';
import { createFakeCluster, type FakeCluster } from '../fakes/fake-cluster.ts';
import { createFakeMetadataStore } from '../fakes/fake-metadata-store.ts';
import { WHOLE_CLUSTER } from '../fakes/scopes.ts';
import { metadataOf, type FakeSecret } from '../fakes/fake-objects.ts';
import { NAMES } from '../unit/history/reconciler/history-objects.ts';
import { createLedger, marksOf, type Ledger } from './ledger.ts';
import type { Operation } from './operations.ts';

const NAMESPACE = 'team-a';
const ADMIN: Actor = {
  user: { sub: 'admin', email: 'admin@example.com', name: 'Admin', groups: [] },
  admin: true,
};
const HOUR = 3_600_000;
const call = unhurriedCall();

/** Two replicas and the reconciler on one cluster in memory, beside the model of what must come out. */
export class World {
  readonly cluster: FakeCluster = createFakeCluster();
  readonly #ledger: Ledger;
  readonly #limits = [5, 5];
  readonly #orphanTtlMs: number | undefined;
  #now = Date.parse('2026-06-01T00:00:00Z');
  #known: readonly Tracked[] = [];
  /** How far the watch has got. */
  #knownRevision = 0;
  #writes = 0;
  /** How often something has happened in the middle of something else. */
  #interferences = 0;

  constructor(orphansExpire: boolean) {
    this.#orphanTtlMs = orphansExpire ? 24 * HOUR : undefined;
    const { cluster } = this;
    cluster.seed({ namespace: NAMESPACE, name: 'a', data: { key: 'at first' } });
    this.#ledger = createLedger({
      cluster,
      now: () => this.#now,
      orphanTtlMs: this.#orphanTtlMs,
      untouchable: seedUntouchable(cluster),
    });
    // Before anything that may fail: what has happened is noted even when nobody is told.
    for (const method of ['secrets.create', 'secrets.replace', 'secrets.delete'] as const) {
      cluster.on({ method, when: 'after', times: Infinity }, () => {
        this.#ledger.observe();
      });
    }
    for (const limit of this.#limits) this.#ledger.limitIs(limit);
    this.#ledger.observe();
  }

  /** Does one thing, and checks everything. */
  async perform(operation: Operation): Promise<void> {
    try {
      await this.#do(operation);
    } catch (error) {
      // Refusals and failures are told to users; anything else is a defect.
      if (!isServiceError(error)) throw error;
    }
    this.#ledger.observe();
    this.#ledger.check();
  }

  /** Lets the reconciler finish, then checks that nothing is left to be done. */
  async settle(): Promise<void> {
    await this.#reconcileUntilDone();
    const bound = this.#bound();
    for (const live of this.#live()) {
      // What archives the live state has no rank: its replacement has not happened.
      const versions = bound.filter(
        ({ uid, sourceResourceVersion }) =>
          uid === live.uid && sourceResourceVersion !== live.resourceVersion,
      );
      const limit = Math.min(...this.#limits);
      if (live.deletionTimestamp === undefined && versions.length > limit)
        throw new Error(`${live.name} has ${versions.length} snapshots, more than ${limit}`);
    }
    for (const object of this.#history())
      if (!object.labels.has(NAMES.kind) || !object.labels.has(NAMES.historyUidLabel))
        throw new Error(`${object.name} has not got its labels back`);
    if (this.#orphanTtlMs === undefined) return;
    for (let before = -1; before !== this.#interferences;) {
      before = this.#interferences; // what happens in between may make new orphans
      this.#now += this.#orphanTtlMs;
      await this.#reconcileUntilDone();
    }
    const live = new Set(this.#live().map(({ uid }) => uid));
    const orphan = this.#bound().find(({ uid }) => !live.has(uid));
    if (orphan !== undefined)
      throw new Error(`version ${orphan.version} of ${orphan.uid} should have expired`);
  }

  async #do(operation: Operation): Promise<void> {
    const { cluster } = this;
    switch (operation.do) {
      case 'create':
        await this.#service(0).create(
          ADMIN,
          NAMESPACE,
          () => ({
            ...{ name: operation.name, type: undefined, data: this.#values(), stringData: undefined },
            ...{ description: undefined, allowedGroups: undefined, allowedUsers: undefined },
          }),
          call,
        );
        return;
      case 'update':
        await this.#change(operation.name, operation.by, operation.stale, false);
        return;
      case 'recover':
        await this.#change(operation.name, operation.by, false, true);
        return;
      case 'restore':
        await this.#restore(operation.name, operation.by, operation.pick);
        return;
      case 'delete':
        await this.#delete(operation.name, operation.by, operation.keepHistory);
        return;
      case 'edit':
        if (this.#peek(operation.name) !== undefined)
          cluster.touch(ref(operation.name), { data: bytes(this.#values()) });
        return;
      case 'setCounter': {
        const live = this.#peek(operation.name);
        const annotations = new Map(live?.annotations).set(NAMES.version, String(operation.to));
        if (live !== undefined) cluster.touch(live, { annotations });
        return;
      }
      case 'remove':
        if (this.#peek(operation.name) !== undefined) cluster.remove(ref(operation.name));
        return;
      case 'hold':
        if (this.#peek(operation.name) !== undefined)
          cluster.touch(ref(operation.name), { finalizers: ['example.com/hold'] });
        return;
      case 'release':
        if (this.#peek(operation.name) !== undefined) cluster.release(ref(operation.name));
        return;
      case 'loseLabels': {
        const object = this.#pick(operation.pick);
        if (object !== undefined) cluster.touch(object, { labels: new Map() });
        return;
      }
      case 'dropSnapshot': {
        const object = this.#pick(operation.pick);
        const marks = object && marksOf(object);
        if (object === undefined || marks === undefined) return;
        this.#ledger.excuse(marks.uid, marks.version);
        cluster.remove(object);
        return;
      }
      case 'setLimit':
        this.#limits[operation.of] = operation.to;
        this.#ledger.limitIs(operation.to);
        return;
      case 'reconcile':
        if (operation.upToDate) this.#look();
        await this.#reconcileOnce();
        return;
      case 'pass':
        this.#now += operation.hours * HOUR;
        return;
      case 'fail':
        cluster.fail(operation, operation.when === 'before' ? 'unavailable' : 'uncertain');
        return;
      case 'meanwhile':
        cluster.on(operation, async () => {
          this.#interferences++;
          await this.perform(operation.other);
        });
    }
  }

  async #change(name: string, by: number, stale: boolean, recoverCounter: boolean): Promise<void> {
    const service = this.#service(by);
    const open = await service.open(ADMIN, ref(name), call);
    const { summary } = await service.update(
      open,
      {
        resourceVersion: stale ? '1' : open.live.resourceVersion,
        data: this.#values(),
        ...{ description: undefined, allowedGroups: undefined, allowedUsers: undefined, recoverCounter },
      },
      call,
    );
    this.#ledger.acknowledge(open.live, summary.version - 1);
  }

  async #restore(name: string, by: number, pick: number): Promise<void> {
    const service = this.#service(by);
    const open = await service.open(ADMIN, ref(name), call);
    const { versions } = await service.listVersions(open, call);
    const chosen = versions[pick % Math.max(versions.length, 1)];
    if (chosen === undefined) return;
    const request = {
      resourceVersion: open.live.resourceVersion,
      version: chosen.version,
      sourceResourceVersion: chosen.resourceVersion,
    };
    const { summary } = await service.restore(open, { ...request, recoverCounter: false }, call);
    this.#ledger.acknowledge(open.live, summary.version - 1);
  }

  async #delete(name: string, by: number, keepHistory: boolean): Promise<void> {
    const service = this.#service(by);
    const open = await service.open(ADMIN, ref(name), call);
    if (!keepHistory) this.#ledger.excuse(open.live.uid);
    const { resourceVersion, uid } = open.live;
    const before = this.#interferences;
    const { history } = await service.delete(open, { resourceVersion, keepHistory }, call);
    const eligible = this.#bound().filter((one) => one.uid === uid && one.whole);
    if (history === 'cleaned' && before === this.#interferences && eligible.length > 0)
      throw new Error('history that was reported as cleaned is still there');
  }

  #service(replica: number): SecretsService {
    const { secrets: store, policies, namespaces } = this.cluster;
    return createSecretsService({
      store,
      gate: createAccessGate({ policies, namespaces, scope: WHOLE_CLUSTER }),
      names: NAMES,
      listCache: undefined,
      listAnswers: createListAnswers(1_000_000),
      countRefusal: () => undefined,
      onList: () => undefined,
      managedOnly: false,
      historyLimit: this.#limits[replica] ?? 5,
      historyIndex: { historyOf: (live) => Promise.resolve(this.#historyOf(live)) },
      now: () => new Date(this.#now),
    });
  }

  /** What the watch has brought, once it has got as far as the live Secret. */
  #historyOf(live: SecretMetadata): readonly TrackedHistory[] | undefined {
    if (this.#knownRevision < Number(live.resourceVersion)) return undefined;
    return this.#known
      .filter((object) => object.kind === 'history')
      .filter(({ claimedUid, namespace }) => claimedUid === live.uid && namespace === live.namespace);
  }

  #look(): void {
    this.#knownRevision = Math.max(
      ...this.cluster.all().map(({ resourceVersion }) => Number(resourceVersion)),
    );
    this.#known = this.cluster.all().map((object) => track(metadataOf(object), NAMES));
  }

  async #reconcileOnce(): Promise<boolean> {
    const before = this.#interferences;
    const lives = JSON.stringify(this.#live().map(({ uid, resourceVersion }) => [uid, resourceVersion]));
    const known = this.#known;
    const reconcile = createHistoryReconcile({
      names: NAMES,
      limit: Math.min(...this.#limits),
      orphanTtlMs: this.#orphanTtlMs,
      tracked: (key) => known.filter((one) => keyOf(one) === key),
      store: createFakeMetadataStore(this.cluster),
      remainingMs: () => 10_000,
      observer: { inconsistent: () => undefined, stepDone: () => undefined },
      clusterNow: () => this.#now,
    });
    const outcomes = [];
    for (const key of new Set(known.map(keyOf))) outcomes.push(await reconcile(key, call));
    const after = JSON.stringify(this.#live().map(({ uid, resourceVersion }) => [uid, resourceVersion]));
    if (before === this.#interferences && lives !== after)
      throw new Error('the reconciler touched a live Secret');
    if (outcomes.some(({ kind }) => kind === 'terminal')) throw new Error('a reconcile failed for good');
    return outcomes.every(({ kind }) => kind !== 'retry');
  }

  /** Disturbances that were ordered and have not happened yet may come now, so a few rounds may be needed. */
  async #reconcileUntilDone(): Promise<void> {
    let calmRounds = 0;
    for (let round = 0; calmRounds < 2; round++) {
      if (round === 50) throw new Error('the reconciler does not come to rest');
      const before = JSON.stringify(this.cluster.all().map(({ resourceVersion }) => resourceVersion));
      this.#look();
      const done = await this.#reconcileOnce();
      this.#ledger.observe();
      this.#ledger.check();
      const after = JSON.stringify(this.cluster.all().map(({ resourceVersion }) => resourceVersion));
      calmRounds = done && before === after ? calmRounds + 1 : 0;
    }
  }

  #values(): ReadonlyMap<string, string> {
    return new Map([['key', `write ${++this.#writes}`]]);
  }

  #peek(name: string): FakeSecret | undefined {
    return this.cluster.peek(ref(name));
  }

  #live(): readonly FakeSecret[] {
    return this.cluster.all().filter(({ name }) => name === 'a' || name === 'b');
  }

  #history(): readonly FakeSecret[] {
    return this.cluster.all().filter((object) => marksOf(object) !== undefined);
  }

  #pick(pick: number): FakeSecret | undefined {
    const history = this.#history();
    return history[pick % Math.max(history.length, 1)];
  }

  #bound(): readonly (SnapshotMarks & { readonly whole: boolean })[] {
    return this.#history().flatMap((object) => {
      const marks = marksOf(object);
      const whole = object.labels.has(NAMES.kind) && object.labels.has(NAMES.historyUidLabel);
      return marks === undefined ? [] : [{ ...marks, whole }];
    });
  }
}

function ref(name: string): { namespace: string; name: string } {
  return { namespace: NAMESPACE, name };
}

function bytes(values: ReadonlyMap<string, string>): ReadonlyMap<string, Uint8Array> {
  return new Map([...values].map(([key, text]) => [key, Buffer.from(text)]));
}

/** A copy of a snapshot under another name, one that lacks a mark, and Secrets that only look the part. */
function seedUntouchable(cluster: FakeCluster): readonly FakeSecret[] {
  const uid = cluster.peek(ref('a'))?.uid ?? '';
  const labels = { [NAMES.kind]: 'history', [NAMES.historyUidLabel]: uid };
  const annotations = {
    [NAMES.kind]: 'history',
    [NAMES.historyOf]: 'a',
    [NAMES.historyUid]: uid,
    [NAMES.historyVersion]: '1',
    [NAMES.historyResourceVersion]: '1',
    [NAMES.historyType]: 'Opaque',
  };
  const { [NAMES.historyVersion]: _version, ...lacking } = annotations;
  return [
    cluster.seed({ namespace: NAMESPACE, name: 'copy', labels, annotations }),
    cluster.seed({ namespace: NAMESPACE, name: 'lacking', labels, annotations: lacking }),
    cluster.seed({ namespace: NAMESPACE, name: 'a.v1.0123456789abcdef' }),
    cluster.seed({ namespace: 'team-b', name: 'a', data: { key: 'elsewhere' } }),
  ];
}
