import { judge } from '../../consistency/judge/judge.ts';
import type { Rule } from '../../consistency/judge/violation.ts';
import type {
  OperationOutcome,
  Change,
  Operation,
  OperationRequest,
  PolicyChange,
  Recording,
  SecretState,
} from '../../consistency/recording.ts';

/** The judge is worth what it catches: each test breaks one promise in a history that keeps all others. */

const LIMIT = 2;

export const UID = 'uid-a';

/** Builds a recording in which one thing happens after the other; revisions count up, and so does the time. */
export class Story {
  readonly changes: Change[] = [];
  readonly policies: PolicyChange[] = [];
  readonly operations: Operation[] = [];
  #revision = 100;
  #time = 0;

  get now(): number {
    return this.#time;
  }

  /** The live Secret gets this state. @returns the revision */
  put(state: Partial<SecretState> = {}): number {
    return this.#change('put', { ...LIVE, ...state });
  }

  gone(state: Partial<SecretState> = {}): number {
    return this.#change('gone', { ...LIVE, ...state });
  }

  archive(version: number, source: number, state: Partial<SecretState> = {}): number {
    return this.#change('put', snapshot(version, source, state));
  }

  remove(version: number, source: number, state: Partial<SecretState> = {}): number {
    return this.#change('gone', snapshot(version, source, state));
  }

  policy(allowedGroups: readonly string[] | undefined): void {
    this.policies.push({ revision: ++this.#revision, seenAt: ++this.#time, allowedGroups });
  }

  /** An operation around what `during` makes happen. */
  operation(request: OperationRequest, during: () => OperationOutcome, more: Partial<Operation> = {}): void {
    const begun = ++this.#time;
    const answer = during();
    const ended = ++this.#time;
    const id = this.operations.length;
    this.operations.push({ id, request, replica: 1, actor: 'admin', begun, ended, answer, ...more });
  }

  update(version: number, from: number): number {
    let revision = 0;
    const label = `label ${version}`;
    this.operation({ do: 'update', name: 'a', revision: from, label, digest: `digest ${version}` }, () => {
      revision = this.put({ version, description: label, digest: `digest ${version}` });
      return { kind: 'secret', revision, version };
    });
    return revision;
  }

  /** Creates, and updates as many times with all that belongs to it. @returns the revisions of the live states */
  history(updates: number): readonly number[] {
    const revisions = [this.put({ version: 1, digest: 'digest 1' })];
    for (let version = 1; version <= updates; version++) {
      const from = revisions.at(-1) ?? 0;
      this.archive(version, from, { digest: `digest ${version}` });
      revisions.push(this.update(version + 1, from));
    }
    return revisions;
  }

  wait(ms: number): void {
    this.#time += ms;
  }

  recording(): Recording {
    const { changes, policies, operations } = this;
    const times = { orphanTtlMs: 60_000, lateMs: 0, watchLagMs: 1_000, maxListAgeMs: 90_000 };
    return { changes, policies, operations, limit: LIMIT, ...times };
  }

  rules(): readonly Rule[] {
    return [...new Set(judge(this.recording()).map(({ rule }) => rule))];
  }

  #change(kind: Change['kind'], object: SecretState): number {
    this.changes.push({ kind, revision: ++this.#revision, seenAt: ++this.#time, object });
    return this.#revision;
  }
}

const LIVE: SecretState = {
  name: 'a',
  uid: UID,
  type: 'Opaque',
  digest: 'digest 1',
  description: '',
  version: 1,
  allowedGroups: [],
  terminating: false,
};

function snapshot(version: number, source: number, state: Partial<SecretState>): SecretState {
  const archives = { name: 'a', uid: UID, version, source, type: 'Opaque', isFinal: false };
  return { ...LIVE, name: `a.v${version}`, uid: `uid-v${version}-${source}`, archives, ...state };
}
