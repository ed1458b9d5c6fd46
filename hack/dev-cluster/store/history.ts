import { type ApiObject } from '../api/object.ts';

/** One change of one object. A deletion's object is the last state with the deletion's own revision. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly resource: string;
  readonly key: string;
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
}

/**
 * The recent changes, oldest first: what a watch resumes from, and what an older revision of a list is
 * rebuilt from. Whatever is older than `compacted` answers 410.
 */
export class History {
  #changes: Change[] = [];
  #compacted: number;
  readonly #limit: number;

  constructor(limit: number, compacted: number) {
    this.#limit = limit;
    this.#compacted = compacted;
  }

  /** The newest compacted revision: older states can no longer be read. */
  get compacted(): number {
    return this.#compacted;
  }

  add(change: Change): void {
    this.#changes.push(change);
    // Cutting in big steps keeps the cost of an append constant.
    if (this.#changes.length > this.#limit * 2) this.compactTo(this.#changes[this.#limit - 1]?.revision ?? 0);
  }

  /** The changes after `revision`, oldest first. */
  since(revision: number): readonly Change[] {
    return this.#changes.slice(this.#changes.findLastIndex((change) => change.revision <= revision) + 1);
  }

  /** Forgets everything up to `revision`. */
  compactTo(revision: number): void {
    if (revision <= this.#compacted) return;
    this.#changes = [...this.since(revision)];
    this.#compacted = revision;
  }
}
