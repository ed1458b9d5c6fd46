import { describe, expect, it } from 'vitest';
import { beyondLimit, isReplaced, newestFirst } from '../../../../src/history/snapshot/rank.ts';

const archived = (version: number, sourceResourceVersion: string) => ({ version, sourceResourceVersion });
const itself = <Item>(item: Item): Item => item;
const versions = (items: readonly { readonly version: number }[]) => items.map(({ version }) => version);

describe('the one order of the snapshots of a UID', () => {
  it('goes by the archived revision as a number, newest first', () => {
    const items = [archived(9, '99'), archived(1, '100'), archived(2, '1000')];
    expect(versions(newestFirst(items, itself))).toEqual([2, 1, 9]);
  });

  it('goes by the version where one revision is archived twice', () => {
    expect(versions(newestFirst([archived(3, '7'), archived(8, '7')], itself))).toEqual([8, 3]);
  });

  it('takes what says no revision for older than everything else', () => {
    const items = [archived(9, 'opaque'), archived(1, '5'), archived(8, ''), archived(2, '6')];
    expect(versions(newestFirst(items, itself))).toEqual([2, 1, 9, 8]);
  });

  it('keeps revisions apart that are too large for a number', () => {
    const items = [archived(1, '9007199254740993'), archived(2, '9007199254740992')];
    expect(versions(newestFirst(items, itself))).toEqual([1, 2]);
  });
});

describe('beyond the limit', () => {
  it('is what is left, oldest first', () => {
    const items = [archived(1, '1'), archived(3, '3'), archived(2, '2')];
    expect(versions(beyondLimit(items, itself, '9', 1))).toEqual([1, 2]);
    expect(beyondLimit(items, itself, '9', 3)).toEqual([]);
  });

  it('is never what archives the live revision, and that counts for nothing', () => {
    const items = [archived(1, '1'), archived(2, '2'), archived(3, '9')];
    expect(beyondLimit(items, itself, '9', 2)).toEqual([]);
    expect(versions(beyondLimit(items, itself, '9', 1))).toEqual([1]);
  });
});

describe('a source revision is replaced', () => {
  it.each([
    ['99', '100', true],
    ['100', '100', false],
    ['101', '100', false],
    ['opaque', 'opaque', false],
    ['opaque', 'other', true],
    ['opaque', '100', true],
  ])('%s, with %s live: %s', (source, live, expected) => {
    expect(isReplaced(source, live)).toBe(expected);
  });
});
