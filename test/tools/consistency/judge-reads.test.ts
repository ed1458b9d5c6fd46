import { describe, expect, it } from 'vitest';
import { judge } from '../../consistency/judge/judge.ts';
import type { ListedVersion, Operation } from '../../consistency/recording.ts';
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
    const [source = 0] = other.history(1);
    const invented = [
      { version: 1, source },
      { version: 9, source: 9 },
    ];
    other.operation({ do: 'versions', name: 'a' }, () => ({
      kind: 'versions',
      uid: UID,
      versions: invented,
    }));
    expect(other.rules()).toEqual(['versions are archived states, newest first']);
  });
});

describe('what was there all the time', () => {
  const absent = () => ({ kind: 'refused', status: 404 }) as const;

  it('a Secret that a read does not find, but not while it is created, deleted or replaced', () => {
    const story = new Story();
    const read = (during = () => undefined as unknown) => {
      story.operation({ do: 'read', name: 'a' }, () => {
        during();
        return absent();
      });
    };
    read();
    read(() => story.put());
    story.put();
    read(() => {
      story.gone();
      story.put({ uid: 'another' });
    });
    read(() => story.gone({ uid: 'another' }));
    read();
    expect(story.rules()).toEqual([]);
    story.put({ uid: 'third' });
    story.put({ uid: 'third', version: 2 });
    read(() => story.put({ uid: 'third', version: 3 }));
    expect(story.rules()).toEqual(['a Secret that was there all the time is found']);
  });

  it('a version that is not listed, but not while it is archived or removed', () => {
    const story = new Story();
    const [first = 0, second = 0, third = 0] = story.history(2);
    const list = (versions: readonly ListedVersion[], during = () => undefined as unknown) => {
      story.operation({ do: 'versions', name: 'a' }, () => {
        during();
        return { kind: 'versions', uid: UID, versions };
      });
    };
    const newest = { version: 2, source: second };
    list([newest], () => {
      story.archive(3, third, { digest: 'digest 3' });
      story.operation({ do: 'removeSnapshot', name: 'a.v1', uid: `uid-v1-${first}` }, () => {
        story.remove(1, first);
        return { kind: 'done' };
      });
    });
    expect(story.rules()).toEqual([]);
    list([newest]);
    expect(story.rules()).toEqual(['a snapshot that was there all the time is listed']);
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
