import { describe, expect, it } from 'vitest';
import { type Json } from '../../../../hack/dev-cluster/json/json.ts';
import {
  InapplicablePatch,
  jsonPatch,
  MalformedPatch,
} from '../../../../hack/dev-cluster/patches/json-patch.ts';

const TARGET: Json = { a: { b: 'x', 'c/d': 1, 'e~f': 2 }, list: [1, 2, 3] };

describe('a JSON patch', () => {
  it.each<readonly [string, Json, Json]>([
    [
      'adds a member',
      { op: 'add', path: '/a/n', value: 1 },
      { a: { b: 'x', 'c/d': 1, 'e~f': 2, n: 1 }, list: [1, 2, 3] },
    ],
    [
      'adds in the middle of a list',
      { op: 'add', path: '/list/1', value: 9 },
      { a: { b: 'x', 'c/d': 1, 'e~f': 2 }, list: [1, 9, 2, 3] },
    ],
    [
      'adds at the end of a list',
      { op: 'add', path: '/list/-', value: 9 },
      { a: { b: 'x', 'c/d': 1, 'e~f': 2 }, list: [1, 2, 3, 9] },
    ],
    ['removes', { op: 'remove', path: '/list/0' }, { a: { b: 'x', 'c/d': 1, 'e~f': 2 }, list: [2, 3] }],
    [
      'replaces',
      { op: 'replace', path: '/a/b', value: null },
      { a: { b: null, 'c/d': 1, 'e~f': 2 }, list: [1, 2, 3] },
    ],
    [
      'unescapes its pointers',
      { op: 'remove', path: '/a/c~1d' },
      { a: { b: 'x', 'e~f': 2 }, list: [1, 2, 3] },
    ],
    [
      'moves',
      { op: 'move', from: '/a/e~0f', path: '/list/0' },
      { a: { b: 'x', 'c/d': 1 }, list: [2, 1, 2, 3] },
    ],
    [
      'copies',
      { op: 'copy', from: '/list', path: '/a/b' },
      { a: { b: [1, 2, 3], 'c/d': 1, 'e~f': 2 }, list: [1, 2, 3] },
    ],
    ['tests deeply', { op: 'test', path: '/list', value: [1, 2, 3] }, TARGET],
    ['replaces the whole', { op: 'add', path: '', value: 7 }, 7],
  ])('%s', (_title, operation, expected) => {
    const before = JSON.stringify(TARGET);
    expect(jsonPatch(TARGET, [operation])).toEqual(expected);
    expect(JSON.stringify(TARGET)).toBe(before);
  });

  it.each<readonly [string, Json]>([
    ['a failed test', { op: 'test', path: '/a/b', value: 'y' }],
    ['removing what is not there', { op: 'remove', path: '/a/zz' }],
    ['replacing what is not there', { op: 'replace', path: '/zz', value: 1 }],
    ['an index beyond the end', { op: 'add', path: '/list/4', value: 1 }],
    ['an index with a leading zero', { op: 'remove', path: '/list/01' }],
    ['adding below what is not there', { op: 'add', path: '/zz/y', value: 1 }],
    ['members that an object only inherits', { op: 'remove', path: '/a/toString' }],
  ])('does not apply: %s', (_title, operation) => {
    expect(() => jsonPatch(TARGET, [operation])).toThrow(InapplicablePatch);
  });

  it.each<Json>([{}, [{ op: 'explode', path: '/a' }], [{ op: 'add', path: 'a', value: 1 }]])(
    'is malformed: %j',
    (patch) => {
      expect(() => jsonPatch(TARGET, patch)).toThrow(MalformedPatch);
    },
  );

  it('sets a key that every JavaScript object has', () => {
    const operation = { op: 'add', path: '/a/__proto__', value: 'v' };
    expect(JSON.stringify(jsonPatch({ a: {} }, [operation]))).toBe('{"a":{"__proto__":"v"}}');
  });
});
