import { describe, expect, it } from 'vitest';
import { Story, UID } from './recorded-story.ts';

const ARCHIVED = 'what was deleted and archived can be restored';
const NEW_UID = 'uid-new';

const deletion = (revision: number) =>
  ({ do: 'delete', name: 'a', revision, keepHistory: true, archive: true }) as const;
const archivesOf = (source: number, isFinal: boolean) => ({
  archives: { name: 'a', uid: UID, version: 1, source, type: 'Opaque', isFinal },
});

interface Steps {
  readonly archived?: boolean;
  readonly isFinal?: boolean;
  readonly isLate?: boolean;
}

/** A Secret that was deleted with archive: by default as the service does it. */
function deleted({ archived = true, isFinal = true, isLate = false }: Steps = {}) {
  const story = new Story();
  const source = story.put();
  const archive = () => (archived ? story.archive(1, source, archivesOf(source, isFinal)) : 0);
  story.operation(deletion(source), () => {
    if (!isLate) archive();
    story.gone();
    if (isLate) archive();
    return { kind: 'deleted', uid: UID, history: 'retained' };
  });
  return { story, source };
}

function undelete(story: Story, state: Parameters<Story['put']>[0] = {}): void {
  story.operation({ do: 'undelete', name: 'a', uid: UID }, () => {
    const revision = story.put({ uid: NEW_UID, ...state });
    return { kind: 'secret', revision, version: 1 };
  });
}

describe('deleted and archived Secrets', () => {
  it('nothing, as the service does it: deleted, restored, removed permanently', () => {
    const { story, source } = deleted();
    undelete(story);
    story.operation({ do: 'purge', name: 'a', uid: UID }, () => {
      story.remove(1, source);
      return { kind: 'done' };
    });
    expect(story.rules()).toEqual([]);
  });

  it.each([
    ['without an archive', { archived: false }],
    ['that is archived only afterwards', { isLate: true }],
    ['whose archive has no record of it', { isFinal: false }],
  ])('a deletion %s', (_what, steps) => {
    expect(deleted(steps).story.rules()).toContain(ARCHIVED);
  });

  it('an archive that a cleaning deletion of the same revision takes after the deletion', () => {
    const story = new Story();
    const source = story.put();
    story.operation({ do: 'delete', name: 'a', revision: source, keepHistory: false }, () => {
      story.operation(deletion(source), () => {
        story.archive(1, source, archivesOf(source, true));
        story.gone();
        story.remove(1, source);
        return { kind: 'deleted', uid: UID, history: 'retained' };
      });
      return { kind: 'refused', status: 409 };
    });
    expect(story.rules()).toContain(ARCHIVED);
  });

  it('nothing, when a deletion waits for finalizers and is requested again', () => {
    const story = new Story();
    const source = story.put();
    let pending = 0;
    story.operation(deletion(source), () => {
      story.archive(1, source, archivesOf(source, true));
      pending = story.put({ terminating: true });
      return { kind: 'pending' };
    });
    story.operation(deletion(pending), () => ({ kind: 'pending' }));
    expect(story.rules()).toEqual([]);
  });

  it.each([
    ['other values', { digest: 'other' }],
    ['another description', { description: 'other' }],
    ['another version', { version: 2 }],
  ])('a restore with %s', (_what, state) => {
    const { story } = deleted();
    undelete(story, state);
    expect(story.rules()).toContain(ARCHIVED);
  });

  it('a restore of a Secret that still exists', () => {
    const story = new Story();
    const source = story.put();
    story.archive(1, source, archivesOf(source, true));
    undelete(story, { name: 'b' });
    expect(story.rules()).toContain(ARCHIVED);
  });

  it('a permanent removal of what still exists', () => {
    const story = new Story();
    const source = story.put();
    story.archive(1, source, archivesOf(source, true));
    story.operation({ do: 'purge', name: 'a', uid: UID }, () => {
      story.remove(1, source);
      return { kind: 'done' };
    });
    expect(story.rules()).toContain('nothing among the newest is removed');
  });
});

describe('the list of deleted Secrets', () => {
  const LISTED = 'what is listed as deleted was deleted that way, in that state';
  const listed = (story: Story, by: string | undefined) => {
    story.operation({ do: 'listDeleted' }, () => ({
      kind: 'deletedListed',
      items: [{ name: 'a', uid: UID, by }],
    }));
  };

  it('nothing, as the service shows it', () => {
    const { story } = deleted();
    listed(story, 'admin@example.com');
    expect(story.rules()).toEqual([]);
  });

  it('what is not listed, but not to others than administrators, nor what is not final or newest', () => {
    const THROUGHOUT = 'a snapshot that was there all the time is listed';
    const { story, source } = deleted();
    const listNone = (to: Story, actor: 'admin' | 'member' = 'admin') => {
      to.operation({ do: 'listDeleted' }, () => ({ kind: 'deletedListed', items: [] }), { actor });
    };
    listNone(story, 'member');
    expect(story.rules()).toEqual([]);
    const other = deleted({ isFinal: false }).story;
    other.operation({ do: 'listDeleted' }, () => {
      other.archive(1, source, archivesOf(source, true));
      return { kind: 'deletedListed', items: [] };
    });
    other.archive(2, source + 1, { uid: 'uid-newer' });
    listNone(other);
    expect(other.rules()).not.toContain(THROUGHOUT);
    listNone(story);
    expect(story.rules()).toEqual([THROUGHOUT]);
  });

  it('a Secret that exists', () => {
    const story = new Story();
    const source = story.put();
    story.archive(1, source, archivesOf(source, true));
    listed(story, undefined);
    expect(story.rules()).toContain(LISTED);
  });

  it('a Secret that never was', () => {
    const story = new Story();
    listed(story, undefined);
    expect(story.rules()).toContain(LISTED);
  });

  it('someone who has not deleted it', () => {
    const { story } = deleted();
    listed(story, 'member@example.com');
    expect(story.rules()).toContain(LISTED);
  });

  it('someone whose deletion was refused, when kubectl has deleted it', () => {
    const story = new Story();
    const source = story.put();
    story.operation(deletion(source), () => {
      story.archive(1, source, archivesOf(source, true));
      return { kind: 'refused', status: 503 };
    });
    story.gone();
    listed(story, undefined);
    expect(story.rules()).not.toContain(LISTED);
    listed(story, 'admin@example.com');
    expect(story.rules()).toContain(LISTED);
  });

  it('another state than the last', () => {
    const story = new Story();
    const source = story.put();
    story.operation(deletion(source), () => {
      story.archive(1, source, { ...archivesOf(source, true), digest: 'other' });
      story.gone();
      return { kind: 'deleted', uid: UID, history: 'retained' };
    });
    listed(story, 'admin@example.com');
    expect(story.rules()).toContain(LISTED);
  });
});
