import { describe, expect, it } from 'vitest';
import { judge } from '../../consistency/judge/judge.ts';
import type { Operation } from '../../consistency/recording.ts';
import { Story, UID } from './recorded-story.ts';

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

  it('older than a deletion that the replica has acknowledged', () => {
    const story = new Story();
    const [first = 0] = story.history(0);
    story.operation({ do: 'delete', name: 'a', revision: first, keepHistory: false }, () => {
      story.gone();
      return { kind: 'deleted', uid: UID, history: 'cleaned' };
    });
    list(story, [first], { replica: 2 });
    expect(story.rules()).toEqual([]);
    list(story, [first]);
    expect(story.rules()).toEqual(RULE);
  });

  it('older than another list of the replica', () => {
    const story = new Story();
    const [first = 0, second = 0] = story.history(1);
    list(story, [first], { replica: 2 });
    list(story, [second], { replica: 2 });
    expect(story.rules()).toEqual([]);
    list(story, [first], { replica: 2 });
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
