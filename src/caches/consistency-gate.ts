import { hash } from 'node:crypto';
import { hasReached, isLater, parseRevision, type Revision } from '../kube/resource-version.ts';
import type { LiveList, ObservationStart } from '../lists/list-cache.ts';

/** What is compared of an object: its identity and revision. */
export type ObjectRevision = LiveList['items'][number];

/** The objects of one namespace that the cache holds. */
export interface HeldObjects {
  /** Another one for each state. */
  readonly version: symbol | number;
  readonly byName: ReadonlyMap<string, ObjectRevision>;
}

export type Verdict = 'past' | 'behind' | 'uncertain';

/** What the cache must not contain under a name. */
interface Note {
  readonly sequence: number;
  /** Undefined: nothing may exist under the name. */
  readonly gone: { readonly uid: string; readonly upTo: Revision | undefined } | undefined;
}

interface SeenList {
  readonly revision: Revision | undefined;
  readonly count: number;
  readonly fingerprint: string;
  /** The state compared last, and the result, so that thousands of objects are not compared for each list. */
  compared?: { readonly version: symbol | number; readonly same: boolean };
}

/** Beyond this number the gate forgets its notes and requires a live list instead. */
const MAX_NOTES = 256;

/**
 * Remembers what this replica has observed in one namespace, so that no response from the cache is older or contradicts
 * it. Revisions are compared as decimal integers of any length, as Kubernetes guarantees for its own kinds. With other
 * revisions the cache passes only if it equals the last live list.
 */
export class ConsistencyGate {
  /** The cache must have reached this revision. */
  #required: Revision | undefined;
  readonly #notes = new Map<string, Note>();
  /** A cache at this revision, of a write or of the cluster itself, contains everything noted before that began. */
  #lastWrite: { readonly revision: Revision; readonly sequence: number } | undefined;
  /** The cache must have reached the revision, or contain the same. */
  #list: SeenList | undefined;
  #uncertainUntilMs: number | undefined;
  /** A write may have taken effect; otherwise only notes about absent objects were lost. */
  #isWriteUncertain = false;

  noteRevision(name: string, resourceVersion: string, since: ObservationStart): void {
    const revision = parseRevision(resourceVersion);
    if (revision === undefined) this.markUncertain(since.atMs);
    else if (!hasReached(this.#required, revision)) this.#required = revision;
    const note = this.#notes.get(name);
    if (note !== undefined && note.sequence <= since.sequence) this.#notes.delete(name);
  }

  noteWritten(name: string, resourceVersion: string, since: ObservationStart): void {
    this.noteRevision(name, resourceVersion, since);
    const revision = parseRevision(resourceVersion);
    if (revision === undefined || this.#notes.size === 0) return;
    if (hasReached(this.#lastWrite?.revision, revision)) return;
    this.#lastWrite = { revision, sequence: since.sequence };
  }

  noteDeleted(name: string, { uid, resourceVersion }: ObjectRevision, at: ObservationStart): void {
    const gone = { uid, upTo: parseRevision(resourceVersion) };
    this.#note(name, { sequence: at.sequence, gone: stricter(this.#notes.get(name), gone) }, at);
  }

  noteAbsent(name: string, at: ObservationStart): void {
    this.#note(name, { sequence: at.sequence, gone: undefined }, at);
  }

  noteList({ resourceVersion, items }: LiveList, since: ObservationStart): void {
    this.#dropNotes(since.sequence);
    this.#endUncertainty(since);
    const revision = parseRevision(resourceVersion);
    const known = this.#list?.revision;
    if (isLater(known, revision)) return;
    this.#list = { revision, count: items.length, fingerprint: fingerprintOf(items) };
  }

  /** The cluster itself was at this revision: a cache that has reached it contains everything noted before. */
  noteClusterRevision(resourceVersion: string, since: ObservationStart): void {
    const revision = parseRevision(resourceVersion);
    if (revision === undefined) return;
    // An uncertain write that has happened is in the state of this revision. Notes alone require no later state.
    if (this.#uncertainUntilMs !== undefined && !isLater(this.#list?.revision, revision))
      this.#list = { revision, count: Infinity, fingerprint: '' };
    // The first that is not reached stays: a cache that is read often would never reach the last.
    this.#lastWrite ??= { revision, sequence: since.sequence };
    this.#endUncertainty(since);
  }

  /** The cache passes again only after a live list, or a revision of the cluster, read at `untilMs` or later. */
  markUncertain(untilMs: number, isWrite = true): void {
    this.#uncertainUntilMs = Math.max(untilMs, this.#uncertainUntilMs ?? untilMs);
    this.#isWriteUncertain ||= isWrite;
  }

  /** Drops all notes. The cache passes again only after a live list. */
  forgetNotes(atMs: number): void {
    if (this.#notes.size > 0) this.markUncertain(atMs, false);
    this.#notes.clear();
  }

  /** @param revision the last one that the cache has reached */
  judge(revision: string | undefined, held: HeldObjects): Verdict {
    if (this.#uncertainUntilMs !== undefined) return 'uncertain';
    const reached = parseRevision(revision);
    if (this.#required !== undefined && !hasReached(reached, this.#required)) return 'behind';
    this.#required = undefined;
    if (this.#list !== undefined) {
      if (hasReached(reached, this.#list.revision)) this.#list = undefined;
      else if (!isShown(held, this.#list)) return 'behind';
    }
    if (this.#lastWrite !== undefined && hasReached(reached, this.#lastWrite.revision)) {
      this.#dropNotes(this.#lastWrite.sequence);
      this.#lastWrite = undefined;
    }
    return this.#contradicts(held, reached) ? 'behind' : 'past';
  }

  /** Whether nothing is remembered. */
  get isEmpty(): boolean {
    const noted = [this.#required, this.#list, this.#lastWrite, this.#uncertainUntilMs];
    return this.#notes.size === 0 && noted.every((one) => one === undefined);
  }

  /** Whether there may be objects although the cache holds none. Notes about absent objects do not count. */
  get mayHaveObjects(): boolean {
    return this.#isWriteUncertain || this.#required !== undefined || (this.#list?.count ?? 0) > 0;
  }

  #endUncertainty({ atMs }: ObservationStart): void {
    if (this.#uncertainUntilMs === undefined || atMs < this.#uncertainUntilMs) return;
    this.#uncertainUntilMs = undefined;
    this.#isWriteUncertain = false;
  }

  #note(name: string, note: Note, { atMs }: ObservationStart): void {
    this.#notes.set(name, note);
    if (this.#notes.size > MAX_NOTES) this.forgetNotes(atMs);
  }

  #dropNotes(upToSequence: number): void {
    for (const [name, { sequence }] of this.#notes) {
      if (sequence <= upToSequence) this.#notes.delete(name);
    }
  }

  #contradicts({ byName }: HeldObjects, reached: Revision | undefined): boolean {
    for (const [name, { gone }] of this.#notes) {
      const cached = byName.get(name);
      if (cached !== undefined && (gone === undefined || isStill(cached, gone))) return true;
      // The cache has passed the deleted revision and does not contain it. A uid is never used again.
      if (hasReached(reached, gone?.upTo)) this.#notes.delete(name);
    }
    return false;
  }
}

function isShown({ version, byName }: HeldObjects, list: SeenList): boolean {
  if (list.compared?.version !== version) {
    const same = byName.size === list.count && fingerprintOf([...byName.values()]) === list.fingerprint;
    list.compared = { version, same };
  }
  return list.compared.same;
}

/** Identifies a set of objects with their revisions, in any order. Small, even for a large set. */
function fingerprintOf(objects: readonly ObjectRevision[]): string {
  const lines = objects.map(({ uid, resourceVersion }) => `${uid} ${resourceVersion}`);
  return hash('sha256', lines.sort().join('\n'));
}

/** An absence is stricter than a deletion, and a later deletion than an earlier one. */
function stricter(known: Note | undefined, gone: NonNullable<Note['gone']>): Note['gone'] {
  if (known === undefined) return gone;
  if (known.gone === undefined) return undefined;
  return hasReached(known.gone.upTo, gone.upTo) ? known.gone : gone;
}

/** No object that had the name up to the deleted revision exists, whatever its uid. */
function isStill(cached: ObjectRevision, { uid, upTo }: NonNullable<Note['gone']>): boolean {
  const revision = parseRevision(cached.resourceVersion);
  return upTo === undefined || revision === undefined ? cached.uid === uid : hasReached(upTo, revision);
}
