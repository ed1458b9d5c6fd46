import { describe, expect, it } from 'vitest';
import { judge } from '../../consistency/judge/judge.ts';
import { Story, UID } from './recorded-story.ts';

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
