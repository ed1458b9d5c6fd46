import { runController } from '../../src/controller/controller.ts';
import { LeaderElector } from '../../src/controller/leader-election.ts';
import { WorkQueue } from '../../src/controller/work-queue.ts';
import { createLogger } from '../../src/observability/logger.ts';
import type { SecretStore } from '../../src/secrets/ports.ts';
import { createFakeLease, type FakeLease } from '../unit/controller/lease-fixture.ts';
import { snapshotObject } from '../unit/history/reconciler/history-objects.ts';
import { choose, type Choices } from './choices.ts';
import { Scheduler } from './scheduler.ts';
import { simulateCluster, type SimulatedCluster } from './simulated-cluster.ts';
import { reconcileOver } from './simulated-replica.ts';
import { startWatch } from './simulated-watch.ts';
import { snapshotsIn } from './what-is-left.ts';
import type { Outcome } from './world.ts';

const REPLICAS = 2;
const SNAPSHOTS = 3;
const TURNS = 24;
const MAX_STEPS = 20_000;
const ORPHAN_TTL_MS = 20_000;
const EPOCH = Date.parse('2026-06-01T00:00:00Z');
/** How wrong the wall clocks of replicas are. */
const SKEWS_MS = [0, 1_200_000, -1_200_000] as const;
/** Shorter and longer than RetryPeriod, RenewDeadline and LeaseDuration. */
const PASSING_MS = [2_500, 500, 6_000, 9_500, 16_000] as const;
const EVENTS = [
  'pass',
  'pass',
  'pass',
  'loseLabels',
  'loseLabels',
  'pause',
  'resume',
  'resume',
  'stop',
] as const;
/** Afterwards, until nothing is left to do. */
const MAX_ROUNDS = 100;
const SILENT = createLogger('silent', { write: () => true });

/**
 * One run of replicas that compete for the Lease, while time passes, processes are paused, and requests are late: what
 * the reconciler writes takes effect only while the Lease names its replica, and in the end its work is done.
 */
export async function simulateLease(choices: Choices): Promise<Outcome> {
  const world = new LeaseWorld(choices);
  await world.run();
  return { failure: world.failure, log: world.log, acknowledged: world.written };
}

class LeaseWorld {
  readonly #choices: Choices;
  readonly #scheduler: Scheduler;
  readonly #cluster: SimulatedCluster;
  readonly #lease: FakeLease = createFakeLease();
  readonly #replicas: Candidate[];
  #started = 0;
  #time = EPOCH;
  failure: string | undefined;
  /** Writes of reconcilers that took effect. */
  written = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#scheduler = new Scheduler(choices, () => {
      this.#time++;
      this.#cluster.observe();
    });
    this.#cluster = simulateCluster(this.#scheduler, choices, () => this.#time);
    // Orphans: they are dated, and removed when their time has passed.
    for (let version = 1; version <= SNAPSHOTS; version++) this.#cluster.fake.seed(snapshotObject(version));
    this.#cluster.observe();
    this.#replicas = Array.from({ length: REPLICAS }, () => this.#start());
  }

  get log(): readonly string[] {
    return this.#scheduler.log;
  }

  async run(): Promise<void> {
    const directed = this.#direct();
    await this.#scheduler.run(MAX_STEPS);
    await directed;
    for (const { owner } of this.#replicas) this.#scheduler.resume(owner);
    for (let round = 0; round < MAX_ROUNDS && snapshotsIn(this.#cluster.fake).length > 0; round++) {
      this.#time += PASSING_MS[0];
      await this.#scheduler.run(MAX_STEPS);
    }
    const left = snapshotsIn(this.#cluster.fake).length;
    if (left > 0) this.failure ??= `${left} orphans are left in the end`;
    for (const { stop } of this.#replicas) stop.abort();
    await this.#scheduler.run(MAX_STEPS);
  }

  async #direct(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) {
      await this.#scheduler.turn('time', 'goes on');
      this.#happen(choose(this.#choices, EVENTS), this.#choices.below(REPLICAS));
    }
  }

  #happen(event: (typeof EVENTS)[number], index: number): void {
    const replica = this.#replicas[index];
    if (replica === undefined) return;
    this.#scheduler.note(`${event} ${replica.owner}`);
    switch (event) {
      case 'pass':
        this.#time += choose(this.#choices, PASSING_MS);
        return;
      case 'pause':
      case 'resume':
        this.#scheduler[event](replica.owner);
        return;
      case 'stop':
        // It ends in order, as soon as it goes on.
        replica.stop.abort();
        this.#replicas[index] = this.#start();
        return;
      case 'loseLabels': {
        const [chosen] = snapshotsIn(this.#cluster.fake);
        if (chosen !== undefined) this.#cluster.fake.touch(chosen, { labels: new Map() });
      }
    }
  }

  #start(): Candidate {
    const owner = `replica ${++this.#started}`;
    const skewMs = choose(this.#choices, SKEWS_MS);
    const now = () => this.#time;
    const clock = { now, wallNow: () => this.#time + skewMs, sleep: this.#timersOf(owner) };
    let queue: WorkQueue | undefined;
    const queueAll = () => {
      for (const key of watch.objects.history.keys()) queue?.add(key);
    };
    const watch = startWatch(owner, { cluster: this.#cluster, scheduler: this.#scheduler }, queueAll);
    const elector: LeaderElector = new LeaderElector({
      lease: this.#cluster.reach(owner, this.#lease.store),
      annotationsOf: (current) => current,
      identity: owner,
      onStartedLeading: async (term) => {
        this.#scheduler.note(`${owner} leads`);
        queue = new WorkQueue({ clock, random: () => 0 }, term);
        queueAll();
        const bounds = { workers: 1, budgetMs: 60_000, observe: () => undefined, fieldsOf: () => ({}) };
        await runController({ ...bounds, queue, reconcile, logger: SILENT, clock }, term);
        queue = undefined;
      },
      onStoppedLeading: () => {
        this.#scheduler.note(`${owner} leads no longer`);
      },
      onFailure: () => undefined,
      ...{ clock, random: () => 0 },
    });
    const reconcile = reconcileOver(
      { clock: { now, pass: () => undefined }, limit: 1, orphanTtlMs: ORPHAN_TTL_MS },
      {
        watch,
        store: this.#cluster.reach(owner, this.#fenced(owner)),
        remainingMs: () => elector.remainingMs(),
      },
    );
    const stop = new AbortController();
    void elector.run(stop.signal).then(() => {
      watch.close();
    });
    return { owner, stop };
  }

  /** Looks at each write as it takes effect. */
  #fenced(owner: string): SecretStore {
    const store = this.#cluster.fake.secrets;
    const judge = (what: string): void => {
      this.written++;
      const holder = this.#lease.record()?.holder;
      if (holder !== owner) this.failure ??= `${owner} writes (${what}) while the Lease names "${holder}"`;
    };
    return {
      ...store,
      patchMetadata: (...given) => {
        judge('patch');
        return store.patchMetadata(...given);
      },
      delete: (...given) => {
        judge('delete');
        return store.delete(...given);
      },
    };
  }

  /** Sleeps that end when it is their turn, at their time or later. */
  #timersOf(owner: string): (ms: number, signal: AbortSignal) => Promise<void> {
    const sleepers = new Map<() => void, number>();
    const due = () => [...sleepers].filter(([, at]) => at <= this.#time);
    this.#scheduler.addSource({
      owner,
      label: 'wakes up',
      isReady: () => due().length > 0,
      run: () => {
        const [first] = due().toSorted(([, one], [, other]) => one - other);
        first?.[0]();
      },
    });
    return (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        sleepers.set(wake, this.#time + ms);
        signal.addEventListener('abort', wake);
        if (signal.aborted) wake();
      });
  }
}

interface Candidate {
  readonly owner: string;
  readonly stop: AbortController;
}
