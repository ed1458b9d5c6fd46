import { describe, expect, it } from 'vitest';
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
const UID = 'uid-a';

/** Builds a recording in which one thing happens after the other; revisions count up, and so does the time. */
class Story {
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
    return { changes, policies, operations, limit: LIMIT, orphanTtlMs: 60_000, lateMs: 0, watchLagMs: 1_000 };
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
  const archives = { name: 'a', uid: UID, version, source, type: 'Opaque' };
  return { ...LIVE, name: `a.v${version}`, uid: `uid-v${version}-${source}`, archives, ...state };
}

describe('what keeps every promise', () => {
  it('is an update whose previous state is archived', () => {
    const story = new Story();
    story.history(2);
    expect(judge(story.recording())).toEqual([]);
  });

  it('is an archive beyond the limit that goes', () => {
    const story = new Story();
    const [first = 0] = story.history(3);
    story.remove(1, first);
    expect(story.rules()).toEqual([]);
  });

  it('is an archive that goes to make place for the one of an update that is under way', () => {
    const story = new Story();
    const [first = 0, , third = 0] = story.history(2);
    story.archive(3, third, { digest: 'digest 3' });
    story.operation({ do: 'update', name: 'a', revision: third, label: 'm', digest: undefined }, () => {
      story.remove(1, first);
      return { kind: 'refused', status: 409 };
    });
    expect(story.rules()).toEqual([]);
  });

  it('is a cleaning deletion, whole or broken off', () => {
    const story = new Story();
    const [first = 0, second = 0, third = 0] = story.history(2);
    story.operation({ do: 'delete', name: 'a', revision: third, keepHistory: false }, () => {
      story.remove(1, first);
      return { kind: 'refused', status: 503 };
    });
    story.operation({ do: 'delete', name: 'a', revision: third, keepHistory: false }, () => {
      story.remove(2, second);
      story.gone();
      return { kind: 'deleted', uid: UID, history: 'cleaned' };
    });
    expect(judge(story.recording())).toEqual([]);
  });

  it('is an orphan that has expired', () => {
    const story = new Story();
    const [first = 0] = story.history(1);
    story.gone();
    story.wait(60_000);
    story.remove(1, first);
    expect(story.rules()).toEqual([]);
  });

  it('is a write of unknown outcome that took effect', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.archive(1, first);
    story.operation({ do: 'update', name: 'a', revision: first, label: 'm', digest: 'other' }, () => {
      story.put({ description: 'm', digest: 'other', version: 2 });
      return { kind: 'uncertain' };
    });
    expect(story.rules()).toEqual([]);
  });
});

describe('writes', () => {
  const TOOK_EFFECT = ['an acknowledged write took effect, on the revision that it named'];
  const update = (revision: number) =>
    ({ do: 'update', name: 'a', revision, label: 'm', digest: 'new' }) as const;

  it('an acknowledged update that never was', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.operation(update(first), () => ({ kind: 'secret', revision: 999, version: 2 }));
    expect(story.rules()).toEqual(TOOK_EFFECT);
  });

  it('an acknowledged update over another revision than it named', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    const edited = story.put({ digest: 'by kubectl' });
    story.archive(1, edited, { digest: 'by kubectl' });
    story.operation(update(first), () => {
      const revision = story.put({ description: 'm', digest: 'new', version: 2 });
      return { kind: 'secret', revision, version: 2 };
    });
    expect(story.rules()).toEqual(TOOK_EFFECT);
  });

  it('an acknowledged update of description and data that dropped the data', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.archive(1, first);
    story.operation(update(first), () => {
      const revision = story.put({ description: 'm', version: 2 });
      return { kind: 'secret', revision, version: 2 };
    });
    expect(story.rules()).toEqual(TOOK_EFFECT);
  });

  it('a refused update that was live', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.archive(1, first);
    story.operation(update(first), () => {
      story.put({ description: 'm', digest: 'new', version: 2 });
      return { kind: 'refused', status: 503 };
    });
    expect(story.rules()).toEqual(['a refused write was never live']);
  });

  it('an acknowledged restore that holds other values than its source', () => {
    const story = new Story();
    const [first = 0, second = 0] = story.history(1);
    story.archive(2, second, { digest: 'digest 2' });
    story.operation({ do: 'restore', name: 'a', revision: second, version: 1, source: first }, () => {
      const revision = story.put({ version: 3, digest: 'digest 2' });
      return { kind: 'secret', revision, version: 3 };
    });
    expect(story.rules()).toEqual(TOOK_EFFECT);
  });

  it('an acknowledged deletion after which the Secret is still there', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.operation({ do: 'delete', name: 'a', revision: first, keepHistory: true }, () => ({
      ...{ kind: 'deleted', uid: UID, history: 'retained' },
    }));
    expect(story.rules()).toEqual(['a deletion that is acknowledged took effect']);
  });
});

describe('history', () => {
  const STAYS = 'the previous state of an acknowledged write stays archived until a rule removes it';
  const NEWEST = 'nothing among the newest is removed';

  it('an update without an archive', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.update(2, first);
    expect(story.rules()).toEqual(['the previous state of a write was archived before it was replaced']);
  });

  it('an update whose archive a cleaning deletion of the same revision took, before or after the replacement', () => {
    for (const removeFirst of [true, false]) {
      const story = new Story();
      const [first = 0] = story.history(0);
      story.archive(1, first);
      story.operation({ do: 'delete', name: 'a', revision: first, keepHistory: false }, () => {
        if (removeFirst) story.remove(1, first);
        story.update(2, first);
        if (!removeFirst) story.remove(1, first);
        return { kind: 'refused', status: 409 };
      });
      expect(story.rules()).toEqual([STAYS]);
    }
  });

  it('nothing, when the archive was stored again before it was acknowledged', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.archive(1, first);
    story.operation({ do: 'delete', name: 'a', revision: first, keepHistory: false }, () => {
      story.operation({ do: 'update', name: 'a', revision: first, label: 'm', digest: 'new' }, () => {
        story.remove(1, first);
        const revision = story.put({ description: 'm', digest: 'new', version: 2 });
        story.archive(1, first, { uid: 'stored again' });
        return { kind: 'secret', revision, version: 2 };
      });
      return { kind: 'refused', status: 409 };
    });
    expect(story.rules()).toEqual([]);
  });

  it('an archive inside the limit that goes although no one requested it', () => {
    const story = new Story();
    const [first = 0] = story.history(2);
    story.remove(1, first);
    expect(story.rules()).toEqual([STAYS, NEWEST]);
  });

  it('an archive that goes because of one whose source is still live, with no write about to replace that', () => {
    const story = new Story();
    const [first = 0, , third = 0] = story.history(2);
    story.archive(3, third, { digest: 'digest 3' });
    story.remove(1, first);
    expect(story.rules()).toContain(NEWEST);
  });

  it('the source of a restore that goes before the restore is done', () => {
    const story = new Story();
    const [first = 0, , third = 0] = story.history(2);
    story.archive(3, third, { digest: 'digest 3' });
    story.operation({ do: 'restore', name: 'a', revision: third, version: 1, source: first }, () => {
      story.remove(1, first);
      return { kind: 'refused', status: 409 };
    });
    expect(story.rules()).toContain(NEWEST);
  });

  it('an orphan that goes too early', () => {
    const story = new Story();
    const [first = 0] = story.history(1);
    story.gone();
    story.wait(30_000);
    story.remove(1, first);
    expect(story.rules()).toContain(NEWEST);
  });

  it('a snapshot with other values than its source, and one of a state that never was', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.archive(1, first, { digest: 'other' });
    expect(story.rules()).toEqual(['a snapshot equals its source']);
    const other = new Story();
    other.history(0);
    other.archive(1, 7);
    expect(other.rules()).toEqual(['a snapshot equals its source']);
  });

  it('a number that is used again, or that is below an archived one', () => {
    const story = new Story();
    const [, , third = 0] = story.history(2);
    story.archive(1, third, { digest: 'digest 3' });
    expect(story.rules()).toEqual(['numbers only grow']);
  });

  it('a number below one that a failing write archived before the state was there', () => {
    const story = new Story();
    const first = story.put({ version: 2 });
    const second = story.put({ version: 2, digest: 'digest 2' });
    story.archive(2, first);
    const third = story.put({ version: 1, digest: 'digest 3' });
    story.archive(1, third, { digest: 'digest 3' });
    expect(second).toBeLessThan(third);
    expect(story.rules()).toContain('numbers only grow');
  });

  it('not a number below one that a failing write may have archived unseen', () => {
    const story = new Story();
    const first = story.put({ version: 2 });
    const second = story.put({ version: 1, digest: 'digest 2' });
    story.archive(2, first);
    story.archive(1, second, { digest: 'digest 2' });
    expect(story.rules()).not.toContain('numbers only grow');
  });
});

describe('reads', () => {
  it('a read of a state that was over', () => {
    const story = new Story();
    const [first = 0] = story.history(1);
    story.operation({ do: 'read', name: 'a' }, () => ({ kind: 'secret', revision: first, version: 1 }));
    expect(story.rules()).toEqual(['reads never go back']);
  });

  it('versions in another order, or that were not archived', () => {
    const story = new Story();
    const [first = 0, second = 0] = story.history(2);
    const versions = [
      { version: 1, source: first },
      { version: 2, source: second },
    ];
    story.operation({ do: 'versions', name: 'a' }, () => ({ kind: 'versions', uid: UID, versions }));
    expect(story.rules()).toEqual(['versions are archived states, newest first']);
    const other = new Story();
    other.history(1);
    const invented = [{ version: 9, source: 9 }];
    other.operation({ do: 'versions', name: 'a' }, () => ({
      kind: 'versions',
      uid: UID,
      versions: invented,
    }));
    expect(other.rules()).toEqual(['versions are archived states, newest first']);
  });
});

describe('lists', () => {
  const RULE = ['a list is a state that was'];
  const list = (story: Story, revisions: readonly number[], more: Partial<Operation> = {}): void => {
    const items = revisions.map((revision) => ({ name: 'a', revision }));
    story.operation({ do: 'list' }, () => ({ kind: 'listed', items }), more);
  };

  it('of a state that was are no violation, also a little late', () => {
    const story = new Story();
    const revisions = story.history(1);
    list(story, revisions.slice(1));
    list(story, revisions.slice(0, 1), { replica: 2 });
    expect(story.rules()).toEqual([]);
  });

  it('of a state that never was', () => {
    const story = new Story();
    const revisions = story.history(1);
    list(story, revisions);
    expect(story.rules()).toEqual(RULE);
  });

  it('older than what the replica has written itself', () => {
    const story = new Story();
    const [first = 0] = story.history(1);
    list(story, [first]);
    expect(story.rules()).toEqual(RULE);
  });

  it('that have been over for longer than is promised', () => {
    const story = new Story();
    const [first = 0] = story.history(1);
    story.wait(91_000);
    list(story, [first], { replica: 2 });
    expect(story.rules()).toEqual(RULE);
  });

  it('that show what rules of its own keep from a stranger', () => {
    const story = new Story();
    const revision = story.put({ allowedGroups: ['team'] });
    list(story, [revision], { actor: 'stranger' });
    expect(story.rules()).toEqual(RULE);
  });

  it('that join an older policy with newer Secrets', () => {
    const story = new Story();
    story.put({ allowedGroups: ['team'] });
    story.policy(['team']);
    const cleared = story.put({ version: 2 });
    list(story, [cleared], { actor: 'stranger' });
    list(story, [cleared], { actor: 'member' });
    expect(judge(story.recording()).map(({ what }) => what)).toEqual([
      expect.stringContaining('operation 0 by stranger') as string,
    ]);
  });
});
