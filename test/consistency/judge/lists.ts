import type { Operation, PolicyChange, Recording, SecretState } from '../recording.ts';
import { countBefore } from './reads.ts';
import type { Violation } from './violation.ts';

/** The group of the people who are `member` in an operation; strangers are in none. */
export const MEMBERS = 'team';

/**
 * Each list is what one actor may see of one state of the namespace, under a policy that is not older than that state, and
 * the state is not older than what the same replica has shown before: a Secret, a deletion, or another list.
 */
export function judgeLists(recording: Recording): readonly Violation[] {
  const states = new States(recording);
  const shown = shownByReplica(recording, states);
  return recording.operations.flatMap((operation) => {
    const { id, request, answer, begun, actor, replica = -1 } = operation;
    if (request.do !== 'list' || answer.kind !== 'listed') return [];
    const list = shown.get(replica) ?? [];
    const atLeast = list[countBefore(list, begun) - 1]?.revision ?? 0;
    if (states.earliest({ hash: hashOf(answer.items), atLeast, begun, actor }) !== undefined) return [];
    const items = answer.items.map(({ name, revision }) => `${name}@${revision}`).join(' ');
    const what = `operation ${id} by ${actor} at replica ${replica}, after ${atLeast}: ${items}`;
    return [{ rule: 'a list is a state that was' as const, what }];
  });
}

/** The newest revision that a replica has written, read or listed, by when it said so. */
function shownByReplica(
  { operations, changes }: Recording,
  states: States,
): ReadonlyMap<number, readonly { readonly ended: number; readonly revision: number }[]> {
  const goneAt = new Map<string, number>();
  for (const { kind, revision, object } of changes) if (kind === 'gone') goneAt.set(object.uid, revision);
  const revisionIn = ({ answer, begun, actor }: Operation): number | undefined => {
    if (answer.kind === 'secret') return answer.revision;
    if (answer.kind === 'deleted') return goneAt.get(answer.uid);
    if (answer.kind !== 'listed') return undefined;
    return states.earliest({ hash: hashOf(answer.items), atLeast: 0, begun, actor });
  };
  const shown = new Map<number, { ended: number; revision: number }[]>();
  for (const operation of operations.toSorted((one, other) => one.ended - other.ended)) {
    const { replica, ended } = operation;
    const revision = replica === undefined ? undefined : revisionIn(operation);
    if (replica === undefined || revision === undefined) continue;
    const list = shown.get(replica) ?? [];
    list.push({ ended, revision: Math.max(revision, list.at(-1)?.revision ?? 0) });
    shown.set(replica, list);
  }
  return shown;
}

/** An order-independent hash of a set of objects in their states, as two numbers: one element more is one step more. */
class SetHash {
  #low = 0;
  #high = 0;

  toggle(name: string, revision: number): void {
    this.#low ^= mix(`${name}@${revision}`, 0x811c9dc5);
    this.#high ^= mix(`${name}@${revision}`, 0x9e3779b9);
  }

  get text(): string {
    return `${this.#low >>> 0}:${this.#high >>> 0}`;
  }
}

function mix(text: string, seed: number): number {
  let state = seed;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
    state ^= state >>> 13;
  }
  return Math.imul(state, 0x85ebca6b) | 0;
}

function hashOf(items: readonly { readonly name: string; readonly revision: number }[]): string {
  const hash = new SetHash();
  for (const { name, revision } of items) hash.toggle(name, revision);
  return hash.text;
}

interface Wanted {
  readonly hash: string;
  readonly atLeast: number;
  readonly begun: number;
  readonly actor: Operation['actor'];
}

/** What each actor could see after each change, with the namespace's policy for or against them. */
class States {
  readonly #recording: Recording;
  /** By actor, policy and hash: the indices of the changes after which the actor could see that. */
  readonly #indices = new Map<string, number[]>();
  readonly #empty = new SetHash().text;

  constructor(recording: Recording) {
    this.#recording = recording;
    for (const actor of ['admin', 'member', 'stranger'] as const) {
      for (const allowed of [true, false]) this.#index(actor, allowed);
    }
  }

  /** The revision of the first state that the list may show. */
  earliest({ hash, atLeast, begun, actor }: Wanted): number | undefined {
    const revisions = [true, false].flatMap((allowed) => {
      const found = this.#candidates(actor, allowed, hash).find((index) => {
        const { revision, replacedAt } = this.#momentAt(index);
        return (
          replacedAt >= begun - this.#recording.maxListAgeMs &&
          this.#isReached(index, atLeast) &&
          (actor === 'admin' || this.#wasPolicy(actor, allowed, revision))
        );
      });
      return found === undefined ? [] : [this.#momentAt(found).revision];
    });
    return revisions.length === 0 ? undefined : Math.min(...revisions);
  }

  /** Whether the state after this change is at least as new as the revision, as far as live Secrets go. */
  #isReached(index: number, revision: number): boolean {
    const next = this.#recording.changes[index + 1];
    return next === undefined || next.revision > revision;
  }

  #candidates(actor: Operation['actor'], allowed: boolean, hash: string): readonly number[] {
    return this.#indices.get(`${actor} ${allowed} ${hash}`) ?? [];
  }

  #momentAt(index: number): { readonly revision: number; readonly replacedAt: number } {
    const { changes } = this.#recording;
    return {
      revision: changes[index]?.revision ?? 0,
      replacedAt: changes[index + 1]?.seenAt ?? Infinity,
    };
  }

  /** Whether at this revision or later there was a policy that decided so. */
  #wasPolicy(actor: Operation['actor'], allowed: boolean, revision: number): boolean {
    const { policies } = this.#recording;
    const before = policies.findLast((policy) => policy.revision <= revision);
    const later = policies.filter((policy) => policy.revision > revision);
    return [before, ...later].some((policy) => allows(actor, policy) === allowed);
  }

  #index(actor: Operation['actor'], allowed: boolean): void {
    const held = new Map<string, SecretState & { readonly revision: number }>();
    const hash = new SetHash();
    const shows = (state: SecretState): boolean => isVisible(actor, state, allowed);
    const note = (index: number): void => {
      const key = `${actor} ${allowed} ${hash.text}`;
      const known = this.#indices.get(key);
      if (known === undefined) this.#indices.set(key, [index]);
      else known.push(index);
    };
    if (hash.text === this.#empty) note(-1);
    for (const [index, { kind, revision, object }] of this.#recording.changes.entries()) {
      if (object.archives === undefined) {
        const previous = held.get(object.name);
        if (previous !== undefined && shows(previous)) hash.toggle(previous.name, previous.revision);
        held.delete(object.name);
        if (kind === 'put') {
          held.set(object.name, { ...object, revision });
          if (shows(object)) hash.toggle(object.name, revision);
        }
      }
      note(index);
    }
  }
}

function isVisible(actor: Operation['actor'], { allowedGroups }: SecretState, byPolicy: boolean): boolean {
  if (actor === 'admin') return true;
  if (allowedGroups.length > 0) return actor === 'member' && allowedGroups.includes(MEMBERS);
  return byPolicy;
}

function allows(actor: Operation['actor'], policy: PolicyChange | undefined): boolean {
  const groups = policy?.allowedGroups;
  if (groups === undefined || groups.length === 0) return true;
  return actor === 'member' && groups.includes(MEMBERS);
}
