import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FaultAction } from '../../../hack/dev-cluster/faults/rule.ts';
import { listOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { becomes, type Replica, type Replicas } from '../replicas.ts';
import { MAX_SILENCE_MS, openCacheReplicas } from './fixture.ts';

/** Short, among all other tests; `make test-storm` makes it three minutes. */
const STORM_MS = Number(process.env['CACHE_STORM_SECONDS'] ?? 20) * 1_000;
/** How late a process on a busy machine may process what it was sent. */
const SLACK_MS = 1_500;

/** What the namespace was like from some moment on: each Secret's name and revision. */
interface Truth {
  readonly text: string;
  /** When the writer learned that it is so. */
  readonly knownAt: number;
}

/** One writer, one write after the other, so that every state of the namespace is known. */
class Writer {
  readonly truths: Truth[] = [{ text: '', knownAt: performance.now() }];
  /** By replica: the last state that it has made itself. */
  readonly ownWrites = new Map<Replica, number>();
  readonly #revisions = new Map<string, string>();
  readonly #fixture: Replicas;
  readonly #namespace: string;
  #count = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(fixture: Replicas, namespace: string) {
    this.#fixture = fixture;
    this.#namespace = namespace;
  }

  get last(): number {
    return this.truths.length - 1;
  }

  /** Ends when the write that is under way now is a truth. */
  get settled(): Promise<void> {
    return this.#underWay;
  }

  /** Creates, changes or deletes one of a few Secrets, through a replica or outside the service. */
  write(replica: Replica | undefined): Promise<void> {
    this.#underWay = this.#write(replica);
    return this.#underWay;
  }

  async #write(replica: Replica | undefined): Promise<void> {
    const name = `s${Math.floor(Math.random() * 12)}`;
    const revision = this.#revisions.get(name);
    const value = `value ${++this.#count}`;
    if (replica === undefined) await this.#writeBeside(name, revision, value);
    else await this.#writeThrough(replica, name, revision, value);
    const sorted = [...this.#revisions].toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.truths.push({ text: sorted.map((pair) => pair.join('@')).join(' '), knownAt: performance.now() });
    if (replica !== undefined) this.ownWrites.set(replica, this.last);
  }

  async #writeBeside(name: string, revision: string | undefined, value: string): Promise<void> {
    const { kube } = this.#fixture;
    if (revision !== undefined && Math.random() < 0.3) {
      await kube.deleteSecret(this.#namespace, name);
      this.#revisions.delete(name);
      return;
    }
    const { metadata } =
      revision === undefined
        ? await kube.createSecret(this.#namespace, nativeSecret(name, { key: value }))
        : await kube.patchSecret(this.#namespace, name, {
            data: { key: Buffer.from(value).toString('base64') },
          });
    this.#revisions.set(name, metadata.resourceVersion ?? '');
  }

  async #writeThrough(
    { admin }: Replica,
    name: string,
    resourceVersion: string | undefined,
    value: string,
  ): Promise<void> {
    const data = { key: value };
    if (resourceVersion === undefined) {
      const created = secretOf(await admin.post(secretsPath(this.#namespace), { name, data }), 201);
      this.#revisions.set(name, created.resourceVersion);
    } else if (Math.random() < 0.3) {
      const path = `${secretsPath(this.#namespace, name)}?resourceVersion=${resourceVersion}`;
      expect((await admin.delete(path)).status).toBe(200);
      this.#revisions.delete(name);
    } else {
      const changed = await admin.put(secretsPath(this.#namespace, name), { resourceVersion, data });
      this.#revisions.set(name, secretOf(changed).resourceVersion);
    }
  }
}

const ACTIONS: readonly FaultAction[] = [
  { type: 'endWatch' },
  { type: 'endWatch', abrupt: true, afterEvents: 2 },
  { type: 'silenceWatch' },
  { type: 'silenceWatch', afterEvents: 3 },
  { type: 'dropBookmarks' },
  { type: 'gone' },
  { type: 'status', status: 500 },
  { type: 'status', status: 429, retryAfter: 1 },
  { type: 'cut', when: 'midway' },
  { type: 'delay', ms: 300 },
];

/** The lists and watches of the caches, and live lists; not those that a write needs of its history. */
const LISTS = '^/api/v1/(secrets|configmaps)\\?|kind%21%3Dhistory';

let fixture: Replicas;
let namespace: string;
let replicas: readonly [Replica, Replica];

beforeAll(async () => {
  fixture = await openCacheReplicas();
  namespace = await fixture.namespace();
  replicas = [await fixture.replica(), await fixture.replica()];
});
afterAll(() => fixture.close());

const path = () => secretsPath(namespace);

interface Tally {
  cache: number;
  live: number;
  failed: number;
}

/** Lists once, and holds the answer to what the namespace was like. */
async function listOnce(writer: Writer, replica: Replica, tally: Tally): Promise<void> {
  const begun = performance.now();
  const own = writer.ownWrites.get(replica) ?? 0;
  const answer = await replica.admin.get(path());
  if (answer.status === 503) {
    tally.failed++; // an error is allowed, a wrong list is not
    return;
  }
  const source = answer.headers.get('x-list-source');
  const text = listOf(answer)
    .secrets.map(({ name, resourceVersion }) => `${name}@${resourceVersion}`)
    .join(' ');
  // The write under way may be there already, and the writer learns of it only after this list. What was created and
  // deleted at once leaves the namespace as it was, so that only states since the replica's own last write count, and
  // of those that look alike the last.
  await writer.settled;
  const stateOf = () => writer.truths.findLastIndex((truth) => truth.text === text);
  const what = `listed from ${source}: ${text}, after ${writer.truths[own]?.text ?? ''}`;
  await becomes(() => stateOf() >= own, true, 15_000, what);
  const state = stateOf();
  const replaced = writer.truths[state + 1]?.knownAt ?? Infinity;
  const age = begun - replaced;
  expect(age, `age of a list from ${source}`).toBeLessThan(source === 'live' ? 0 : MAX_SILENCE_MS + SLACK_MS);
  tally[source === 'cache' ? 'cache' : 'live']++;
}

it(
  'every list is a state that the namespace had, never older than promised or than what the replica wrote itself',
  async () => {
    const writer = new Writer(fixture, namespace);
    const tally: Tally = { cache: 0, live: 0, failed: 0 };
    const end = performance.now() + STORM_MS;
    const isOn = () => performance.now() < end;
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms * Math.random()));
    const write = async () => {
      for (let turn = 0; isOn(); turn++) {
        await writer.write([undefined, ...replicas][turn % 3]);
        await pause(60);
      }
    };
    const misbehave = async () => {
      while (isOn()) {
        const action = ACTIONS[Math.floor(Math.random() * ACTIONS.length)] ?? { type: 'gone' };
        const match = { verb: ['list', 'watch'], path: LISTS };
        fixture.dev.faults.add({ match, action, times: 1 });
        if (Math.random() < 0.2) fixture.dev.compact();
        await pause(700);
      }
    };
    const read = async (replica: Replica) => {
      while (isOn()) {
        await listOnce(writer, replica, tally);
        await pause(20);
      }
    };
    await Promise.all([write(), misbehave(), ...replicas.flatMap((one) => [read(one), read(one)])]);
    fixture.dev.faults.clear();

    // After the storm the caches are there again, and show how it is.
    for (const { admin } of replicas) {
      await becomes(
        async () => {
          const answer = await admin.get(path());
          if (answer.headers.get('x-list-source') !== 'cache') return false;
          const { secrets } = listOf(answer);
          const text = secrets.map(({ name, resourceVersion }) => `${name}@${resourceVersion}`).join(' ');
          return text === writer.truths[writer.last]?.text;
        },
        true,
        60_000,
        'the cache has converged',
      );
    }
    expect(tally.cache).toBeGreaterThan(50);
    expect(tally.live).toBeGreaterThan(1);
    expect(writer.last).toBeGreaterThan(30);
    const metrics = (await replicas[0].metrics()).join('\n');
    expect(metrics).toMatch(/service_list_answers_total\{source="cache",reason=""\} [1-9]/);
    expect(metrics).toMatch(/service_watch_relists_total\{informer="secrets",reason="\w+"\} [1-9]/);
  },
  STORM_MS + 120_000,
);
