import { expect, test } from 'vitest';
import { draftOf, valuesOf, type Editable } from '../src/editing/draft.ts';
import { findConflict, resolve, suggestions, type Side } from '../src/editing/merge.ts';

const secret = (text: readonly (readonly [string, string])[], more: Partial<Editable> = {}): Editable => ({
  values: new Map(text),
  description: '',
  allowedGroups: [],
  allowedUsers: [],
  ...more,
});

function merge(
  base: Editable,
  theirs: Editable,
  mine: Editable,
  choices: readonly (readonly [string, Side])[],
) {
  const draft = draftOf(mine);
  return resolve(findConflict(base, theirs, draft), new Map(choices), theirs, draft);
}

test('what only one side changed is suggested, what both changed is open', () => {
  const base = secret([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
    ['d', '1'],
  ]);
  const theirs = secret([
    ['a', '2'],
    ['b', '1'],
    ['c', '2'],
    ['d', '1'],
  ]);
  const mine = secret([
    ['a', '1'],
    ['b', '3'],
    ['c', '3'],
    ['d', '1'],
  ]);
  expect([...suggestions(findConflict(base, theirs, draftOf(mine)))]).toEqual([
    ['key:a', 'theirs'],
    ['key:b', 'mine'],
    ['key:c', undefined],
  ]);
});

test('the same change on both sides needs no choice', () => {
  const conflict = findConflict(secret([['a', '1']]), secret([['a', '2']]), draftOf(secret([['a', '2']])));
  expect([...suggestions(conflict)]).toEqual([['key:a', 'theirs']]);
});

test('removals on either side are differences like any other', () => {
  const base = secret([
    ['mine', '1'],
    ['theirs', '1'],
  ]);
  const merged = merge(base, secret([['mine', '1']]), secret([['theirs', '1']]), [
    ['key:mine', 'mine'],
    ['key:theirs', 'theirs'],
  ]);
  expect([...valuesOf(merged.rows)]).toEqual([]);
});

test('choices decide, and keys that no one changed stay', () => {
  const base = secret([
    ['both', '1'],
    ['kept', 'k'],
    ['__proto__', '1'],
  ]);
  const theirs = secret([
    ['both', '2'],
    ['kept', 'k'],
    ['__proto__', '1'],
    ['added', 't'],
  ]);
  const mine = secret([
    ['both', '3'],
    ['kept', 'k'],
    ['__proto__', '3'],
  ]);
  const merged = merge(base, theirs, mine, [
    ['key:both', 'mine'],
    ['key:added', 'theirs'],
    ['key:__proto__', 'mine'],
  ]);
  expect(valuesOf(merged.rows)).toEqual(
    new Map([
      ['both', '3'],
      ['kept', 'k'],
      ['__proto__', '3'],
      ['added', 't'],
    ]),
  );
});

test('each text of the expiry is a difference of its own', () => {
  const [base, theirs] = [secret([], { expiresAt: 'a' }), secret([], { expiresAt: 'b' })];
  const mine = secret([], { expiresAt: 'a', rotateEvery: '30d' });
  expect([...suggestions(findConflict(base, theirs, draftOf(mine)))]).toEqual([
    ['field:expiresAt', 'theirs'],
    ['field:rotateEvery', 'mine'],
  ]);
  expect(merge(base, theirs, mine, [['field:rotateEvery', 'mine']])).toMatchObject({
    expiresAt: 'b',
    rotateEvery: '30d',
  });
});

test('description and lists are chosen one by one', () => {
  const base = secret([], { description: 'old', allowedGroups: ['a'] });
  const theirs = secret([], { description: 'theirs', allowedGroups: ['a', 'b'] });
  const mine = secret([], { description: 'mine', allowedGroups: ['a'], allowedUsers: ['u'] });
  const conflict = findConflict(base, theirs, draftOf(mine));
  expect([...suggestions(conflict)]).toEqual([
    ['field:description', undefined],
    ['field:allowedGroups', 'theirs'],
    ['field:allowedUsers', 'mine'],
  ]);
  expect(
    merge(base, theirs, mine, [
      ['field:description', 'mine'],
      ['field:allowedUsers', 'mine'],
    ]),
  ).toMatchObject({
    description: 'mine',
    allowedGroups: ['a', 'b'],
    allowedUsers: ['u'],
  });
});
