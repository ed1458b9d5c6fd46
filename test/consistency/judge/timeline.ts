import type { Change, Operation, Recording, SecretState } from '../recording.ts';

/** An object in one state, from one revision to the next. */
export interface Span {
  readonly state: SecretState;
  readonly from: number;
  readonly fromSeenAt: number;
  /** The revision that ended it; undefined while it is as it was left. */
  to?: number;
  toSeenAt?: number;
  /** What came after it under the same uid; undefined when the object went, or still is. */
  next?: Span;
  previous?: Span;
}

/** A snapshot object, from its creation to its end. */
export interface SnapshotLife {
  readonly state: SecretState & { readonly archives: NonNullable<SecretState['archives']> };
  readonly from: number;
  readonly fromSeenAt: number;
  /** As it was last, and since when. */
  isFinal: boolean;
  finalSeenAt?: number;
  to?: number;
  toSeenAt?: number;
}

/** The recording in an order in which questions about it are cheap. */
export interface Timeline {
  /** States of live Secrets by uid and revision. */
  stateAt(uid: string, revision: number): Span | undefined;
  /** All spans under a live name, oldest first. */
  ofName(name: string): readonly Span[];
  /** By the revision that made the state. */
  madeBy(revision: number): Span | undefined;
  live(): Iterable<Span>;
  snapshots(): readonly SnapshotLife[];
  /** Those that claim to archive this uid, in the order of their creation. */
  snapshotsOf(uid: string): readonly SnapshotLife[];
}

export function buildTimeline({ changes }: Pick<Recording, 'changes'>): Timeline {
  const builder = new Builder();
  for (const change of changes) builder.take(change);
  return builder;
}

class Builder implements Timeline {
  readonly #byRevision = new Map<number, Span>();
  readonly #byName = new Map<string, Span[]>();
  readonly #open = new Map<string, Span>();
  readonly #openSnapshots = new Map<string, SnapshotLife>();
  readonly #snapshots: SnapshotLife[] = [];
  readonly #snapshotsByUid = new Map<string, SnapshotLife[]>();

  take(change: Change): void {
    const { object } = change;
    if (object.archives === undefined) this.#takeLive(change);
    else this.#takeSnapshot(change, { ...object, archives: object.archives });
  }

  stateAt(uid: string, revision: number): Span | undefined {
    const span = this.#byRevision.get(revision);
    return span?.state.uid === uid ? span : undefined;
  }

  ofName(name: string): readonly Span[] {
    return this.#byName.get(name) ?? [];
  }

  madeBy(revision: number): Span | undefined {
    return this.#byRevision.get(revision);
  }

  live(): Iterable<Span> {
    return this.#byRevision.values();
  }

  snapshots(): readonly SnapshotLife[] {
    return this.#snapshots;
  }

  snapshotsOf(uid: string): readonly SnapshotLife[] {
    return this.#snapshotsByUid.get(uid) ?? [];
  }

  #takeLive({ kind, revision, seenAt, object }: Change): void {
    const previous = this.#open.get(object.uid);
    if (previous !== undefined) {
      previous.to = revision;
      previous.toSeenAt = seenAt;
    }
    this.#open.delete(object.uid);
    if (kind === 'gone') return;
    const span: Span = { state: object, from: revision, fromSeenAt: seenAt };
    if (previous !== undefined) {
      span.previous = previous;
      previous.next = span;
    }
    this.#open.set(object.uid, span);
    this.#byRevision.set(revision, span);
    const ofName = this.#byName.get(object.name) ?? [];
    ofName.push(span);
    this.#byName.set(object.name, ofName);
  }

  #takeSnapshot({ kind, revision, seenAt }: Change, state: SnapshotLife['state']): void {
    const open = this.#openSnapshots.get(state.uid);
    if (kind === 'gone') {
      if (open === undefined) return;
      open.to = revision;
      open.toSeenAt = seenAt;
      this.#openSnapshots.delete(state.uid);
      return;
    }
    const { isFinal } = state.archives;
    if (open !== undefined) {
      if (isFinal && !open.isFinal) open.finalSeenAt = seenAt;
      open.isFinal = isFinal; // touched or labelled again: the same snapshot
      return;
    }
    const life: SnapshotLife = { state, from: revision, fromSeenAt: seenAt, isFinal };
    if (isFinal) life.finalSeenAt = seenAt;
    this.#openSnapshots.set(state.uid, life);
    this.#snapshots.push(life);
    const ofUid = this.#snapshotsByUid.get(state.archives.uid) ?? [];
    ofUid.push(life);
    this.#snapshotsByUid.set(state.archives.uid, ofUid);
  }
}

/** Whether something is there just before a revision. */
export function isThereBefore(
  { from, to }: { readonly from: number; readonly to?: number },
  revision: number,
): boolean {
  return from < revision && (to === undefined || to >= revision);
}

/** Whether something was there from before an operation until after it, however late its end was recorded. */
export function isThereAllTheTime(
  {
    fromSeenAt = Infinity,
    toSeenAt = Infinity,
  }: { readonly fromSeenAt?: number | undefined; readonly toSeenAt?: number | undefined },
  { begun, ended }: Operation,
  lateMs: number,
): boolean {
  return fromSeenAt < begun && ended < toSeenAt - lateMs;
}
