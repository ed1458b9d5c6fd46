import { judge } from '../consistency/judge/judge.ts';
import { LISTED_THROUGHOUT } from '../consistency/judge/reads.ts';
import type { OperationOutcome, Operation, OperationRequest } from '../consistency/recording.ts';
import type { FakeSecret } from '../fakes/fake-objects.ts';
import { NAMES } from '../unit/history/reconciler/history-objects.ts';
import { listAttempt, refusal, refTo, type Attempt, type Written } from './attempts.ts';
import { chooseAttempt } from './choose-attempt.ts';
import { choose, type Choices } from './choices.ts';
import { Scheduler } from './scheduler.ts';
import { simulateCluster, type SimulatedCluster } from './simulated-cluster.ts';
import { startReplica, type SimulatedReplica } from './simulated-replica.ts';
import { seedUntouchable, snapshotsIn, touchedOf, unsettledIn } from './what-is-left.ts';
import { WORK, type Beside, type Work } from './work.ts';

const REPLICAS = 2;
const LIMIT = 2;
const ORPHAN_TTL_MS = 60_000;
const WRITERS = 3;
const MAX_OPERATIONS = 6;
const MAX_STEPS = 20_000;
/** After one in so many. */
const LIST_AFTER = 3;
const STUCK_MS = 10_000;
const EPOCH = Date.parse('2026-06-01T00:00:00Z');
const SECRETS = ['a', 'b'] as const;

export interface Outcome {
  /** Undefined when every promise was kept. */
  readonly failure: string | undefined;
  /** What has happened, step by step. */
  readonly log: readonly string[];
  readonly acknowledged: number;
}

/** One run: writers at replicas, reconcilers, kubectl, crashes and faults, in the order that the choices decide. */
export async function simulate(choices: Choices): Promise<Outcome> {
  const world = new World(choices);
  await world.run();
  const failure = world.verdict();
  return { failure, log: world.log, acknowledged: world.acknowledged };
}

class World {
  readonly #choices: Choices;
  readonly #scheduler: Scheduler;
  readonly #cluster: SimulatedCluster;
  readonly #operations: Operation[] = [];
  readonly #replicas: SimulatedReplica[] = [];
  readonly #untouchable: readonly FakeSecret[];
  readonly #underWay = new Map<string, Set<() => void>>();
  #started = 0;
  #labels = 0;
  #time = EPOCH;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#scheduler = new Scheduler(choices, () => {
      this.#time++;
      this.#cluster.observe();
    });
    this.#cluster = simulateCluster(this.#scheduler, choices, () => this.#time);
    this.#untouchable = seedUntouchable(this.#cluster.fake);
    this.#cluster.observe();
    for (let index = 0; index < REPLICAS; index++) this.#replicas.push(this.#start());
  }

  get log(): readonly string[] {
    return this.#scheduler.log;
  }

  get acknowledged(): number {
    return this.#operations.filter(({ answer }) => answer.kind === 'secret').length;
  }

  async run(): Promise<void> {
    const writers = Array.from({ length: WRITERS }, (_, index) => this.#write(`writer ${index + 1}`));
    await this.#scheduler.run(MAX_STEPS);
    await ended(Promise.all(writers));
    // In the end everything that was held goes, and the reconcilers have all the time that they need.
    for (const name of SECRETS) if (this.#peek(name) !== undefined) this.#cluster.fake.release(refTo(name));
    await this.#settle();
    this.#time += 2 * ORPHAN_TTL_MS;
    await this.#settle();
  }

  /** Two rounds for a watch that was behind, and two for faults. */
  async #settle(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      this.#cluster.observe();
      const reconciling = this.#replicas.map((replica) => replica.reconcile());
      await this.#scheduler.run(MAX_STEPS);
      await ended(Promise.all(reconciling));
    }
    this.#cluster.observe();
  }

  verdict(): string | undefined {
    const recording = {
      changes: this.#cluster.changes,
      policies: [],
      operations: this.#operations,
      limit: LIMIT,
      orphanTtlMs: ORPHAN_TTL_MS,
      lateMs: 0,
      watchLagMs: Infinity,
      maxListAgeMs: Infinity,
    };
    // Snapshots lose their labels here, and are not listed until a reconciler has given them back.
    const violation = judge(recording).find(({ rule }) => rule !== LISTED_THROUGHOUT);
    if (violation !== undefined) return `${violation.rule}: ${violation.what}`;
    return unsettledIn(this.#cluster.fake, LIMIT) ?? touchedOf(this.#cluster.fake, this.#untouchable);
  }

  #start(): SimulatedReplica {
    return startReplica({
      owner: `replica ${++this.#started}`,
      ...{ cluster: this.#cluster, scheduler: this.#scheduler, choices: this.#choices },
      clock: {
        now: () => this.#time,
        pass: (ms) => {
          this.#time += ms;
        },
      },
      ...{ limit: LIMIT, orphanTtlMs: ORPHAN_TTL_MS },
    });
  }

  async #write(writer: string): Promise<void> {
    const count = 1 + this.#choices.below(MAX_OPERATIONS);
    for (let index = 0; index < count; index++) {
      await this.#scheduler.turn(writer, 'goes on');
      await this.#work(choose(this.#choices, WORK), choose(this.#choices, SECRETS));
    }
  }

  async #work(work: Work, name: string): Promise<void> {
    const at = this.#choices.below(REPLICAS);
    const replica = this.#replicas[at];
    if (replica === undefined) return;
    this.#scheduler.note(`${work} ${name} at ${replica.owner}`);
    switch (work) {
      case 'reconcile':
        await this.#unlessCrashed(replica, replica.reconcile());
        return;
      case 'crash':
        replica.crash();
        for (const lose of this.#underWay.get(replica.owner) ?? []) lose();
        this.#replicas[at] = this.#start();
        return;
      case 'create':
      case 'update':
      case 'recover':
      case 'restore':
      case 'delete':
      case 'undelete':
      case 'purge':
      case 'read':
      case 'listDeleted':
      case 'list':
      case 'pages':
      case 'versions': {
        const { fake } = this.#cluster;
        const written = () => this.#written();
        const attempt = chooseAttempt(work, name, { fake, choices: this.#choices, written });
        if (attempt === undefined) return;
        const isAcknowledged = await this.#perform(replica, attempt);
        // As pages do it: whoever has changed something looks at the list.
        if (isAcknowledged && this.#choices.below(LIST_AFTER) === 1)
          await this.#perform(replica, listAttempt(false));
        return;
      }
      default:
        this.#beside(work, name);
    }
  }

  /** @returns whether the replica has acknowledged it */
  async #perform(replica: SimulatedReplica, attempt: Attempt): Promise<boolean> {
    const { request } = attempt;
    const { owner } = replica;
    const begun = this.#time;
    const answer = await this.#lostByCrash(owner, attempt.send(replica).catch(refusal));
    const id = this.#operations.length;
    const at = { replica: Number(owner.split(' ')[1]), actor: 'admin' } as const;
    this.#operations.push({ id, request, ...at, begun, ended: this.#time, answer });
    this.#scheduler.note(`operation ${id} ${request.do}: ${JSON.stringify(answer)}`);
    return answer.kind === 'secret' || answer.kind === 'deleted';
  }

  async #lostByCrash(owner: string, answer: Promise<OperationOutcome>): Promise<OperationOutcome> {
    const underWay = this.#underWay.get(owner) ?? new Set();
    this.#underWay.set(owner, underWay);
    let lose = (): void => undefined;
    const lost = new Promise<OperationOutcome>((resolve) => {
      lose = () => {
        resolve({ kind: 'lost' });
      };
    });
    underWay.add(lose);
    const first = await Promise.race([answer, lost]);
    underWay.delete(lose);
    return first;
  }

  async #unlessCrashed({ owner }: SimulatedReplica, work: Promise<void>): Promise<void> {
    await this.#lostByCrash(
      owner,
      work.then(() => ({ kind: 'done' })),
    );
  }

  /** Done at once, by someone with kubectl or by time. */
  #beside(work: Exclude<Beside, 'crash'>, name: string): void {
    const { fake } = this.#cluster;
    const ref = refTo(name);
    const live = fake.peek(ref);
    switch (work) {
      case 'hold':
        if (live !== undefined) fake.touch(ref, { finalizers: ['example.com/hold'] });
        return;
      case 'loseLabels': {
        const chosen = this.#anySnapshot();
        if (chosen !== undefined) fake.touch(chosen, { labels: new Map() });
        return;
      }
      case 'wait':
        this.#time += ORPHAN_TTL_MS / 2;
        return;
      case 'edit':
        if (live !== undefined)
          fake.touch(ref, { data: new Map([['key', Buffer.from(`edit ${++this.#labels}`)]]) });
        return;
      case 'setCounter': {
        const counter = this.#choices.below(6);
        const annotations = new Map(live?.annotations).set(NAMES.version, String(counter));
        if (live !== undefined) fake.touch(ref, { annotations });
        return;
      }
      case 'removeLive':
        if (live !== undefined) fake.remove(ref);
        return;
      case 'removeSnapshot': {
        const chosen = this.#anySnapshot();
        if (chosen === undefined) return;
        this.#note({ do: 'removeSnapshot', name: chosen.name, uid: chosen.uid });
        fake.remove(chosen);
      }
    }
  }

  #anySnapshot(): FakeSecret | undefined {
    const snapshots = snapshotsIn(this.#cluster.fake);
    return snapshots[this.#choices.below(Math.max(1, snapshots.length))];
  }

  #note(request: OperationRequest): void {
    const id = this.#operations.length;
    const byHand = { replica: undefined, actor: 'admin', answer: { kind: 'done' } } as const;
    this.#operations.push({ id, request, begun: this.#time, ended: this.#time, ...byHand });
  }

  #peek(name: string): FakeSecret | undefined {
    return this.#cluster.fake.peek(refTo(name));
  }

  #written(): Written {
    const number = ++this.#labels;
    return { label: `label ${number}`, data: { key: `value ${number}` } };
  }
}

/** What waits for anything but its turn would wait without end: that is a defect of the simulation. */
async function ended(work: Promise<unknown>): Promise<void> {
  const late = new Promise((_resolve, reject) => {
    setTimeout(reject, STUCK_MS, new Error('the run waits for something that is not simulated')).unref();
  });
  await Promise.race([work, late]);
}
