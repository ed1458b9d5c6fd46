import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ObjectRevision } from '../../../src/caches/consistency-gate.ts';
import { ConsistencyGate } from '../../../src/caches/consistency-gate.ts';

type State = ReadonlyMap<string, ObjectRevision>;
type Seen = (cache: State, revision: number) => boolean;

const NAMES = ['a', 'b', 'c'];

/** A namespace as it really is, a cache that lags behind it, and a replica that reads, lists and writes live. */
class World {
  readonly history: State[] = [new Map()];
  readonly gate = new ConsistencyGate();
  /** Whether a list that shows this state of the cache agrees with what was seen. */
  readonly seen: Seen[] = [];
  cacheAt = 0;
  /** How often a cache that lags behind passed. */
  passedBehind = 0;
  version = 0;
  #uid = 0;
  #sequence = 0;

  get revision(): number {
    return this.history.length - 1;
  }
  get now(): State {
    return this.history[this.revision] ?? new Map();
  }
  moment = () => ({ sequence: ++this.#sequence, atMs: this.#sequence });

  /** Creates, changes or (every third time) deletes; or something happens elsewhere in the cluster. */
  change(name: string, kind: number): ObjectRevision | undefined {
    const next = new Map(this.now);
    const current = next.get(name);
    const resourceVersion = String(this.revision + 1);
    if (kind === 0 && current !== undefined) next.delete(name);
    else if (kind < 3) next.set(name, { uid: current?.uid ?? `u${++this.#uid}`, resourceVersion });
    this.history.push(next);
    return next.get(name);
  }

  write(name: string): void {
    const since = this.moment();
    const written = this.change(name, 1);
    const at = this.revision;
    if (written === undefined) throw new Error('nothing was written');
    this.gate.noteWritten(name, written.resourceVersion, since);
    this.seen.push((_cache, revision) => revision >= at);
  }

  remove(name: string): void {
    const current = this.now.get(name);
    if (current === undefined) return;
    this.change(name, 0);
    this.gate.noteDeleted(name, current, this.moment());
    this.seen.push(
      (cache) =>
        cache.get(name)?.uid !== current.uid || cache.get(name)?.resourceVersion !== current.resourceVersion,
    );
  }

  read(name: string, begun = this.moment(), object = this.now.get(name), at = this.revision): void {
    if (object === undefined) this.gate.noteAbsent(name, this.moment());
    else this.gate.noteRevision(name, object.resourceVersion, begun);
    this.seen.push((cache, revision) => {
      const shown = cache.get(name);
      return (
        revision >= at || (shown?.uid === object?.uid && shown?.resourceVersion === object?.resourceVersion)
      );
    });
  }

  list(begun = this.moment(), state = this.now, at = this.revision): void {
    this.gate.noteList({ resourceVersion: String(at), items: [...state.values()] }, begun);
    this.seen.push((cache, revision) => revision >= at || this.#isAgain(cache, at));
  }

  probe(): void {
    this.gate.noteClusterRevision(String(this.revision), this.moment());
  }

  judge(): void {
    const cache = this.history[this.cacheAt] ?? new Map<string, ObjectRevision>();
    const verdict = this.#verdictOn(cache);
    if (verdict !== 'past') return;
    if (this.cacheAt < this.revision) this.passedBehind++;
    expect(this.seen.every((agrees) => agrees(cache, this.cacheAt))).toBe(true);
  }

  isPast(): boolean {
    return this.#verdictOn(this.now) === 'past';
  }

  /** Whether the namespace was like this again, at that revision or since. */
  #isAgain(state: State, at: number): boolean {
    return this.history.slice(at).some((later) => text(later) === text(state));
  }

  #verdictOn(byName: State) {
    return this.gate.judge(String(this.cacheAt), { version: ++this.version, byName });
  }
}

function text(state: State): string {
  return JSON.stringify([...state].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const step = fc.tuple(fc.nat(10), fc.constantFrom(...NAMES), fc.nat(3));

it('a cache that passes agrees with all that the replica has seen, and once it has caught up it passes', () => {
  let passedBehind = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const world = new World();
      /** What was read some time ago, and is only reported now: answers overtake each other. */
      const late: (() => void)[] = [];
      for (const [action, name, detail] of steps) {
        const { now, revision } = world;
        if (action < 3) world.change(name, detail);
        else if (action === 3) world.write(name);
        else if (action === 4) world.remove(name);
        else if (action === 5) world.read(name);
        else if (action === 6) world.list();
        else if (action === 7) {
          const begun = world.moment();
          late.push(() => {
            if (detail < 2) world.list(begun, now, revision);
            else world.read(name, begun, now.get(name), revision);
          });
        } else if (action === 8) late.shift()?.();
        else if (action === 9) world.probe();
        else world.cacheAt = Math.min(world.revision, world.cacheAt + detail + 1);
        world.judge();
      }
      for (const report of late) report();
      world.judge();
      world.cacheAt = world.revision;
      world.judge();
      world.list();
      expect(world.isPast()).toBe(true);
      passedBehind += world.passedBehind;
    }),
    { numRuns: 5_000 },
  );
  expect(passedBehind).toBeGreaterThan(10_000);
});
