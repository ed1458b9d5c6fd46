import { describe, expect, it } from 'vitest';
import { Story } from './recorded-story.ts';

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
