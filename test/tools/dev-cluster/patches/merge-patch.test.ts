import { describe, expect, it } from 'vitest';
import { type Json } from '../../../../hack/dev-cluster/json/json.ts';
import { mergePatch } from '../../../../hack/dev-cluster/patches/merge-patch.ts';

describe('a merge patch (the examples of RFC 7386, appendix A)', () => {
  it.each<readonly [Json, Json, Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched by %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('keeps and sets keys that every JavaScript object has', () => {
    const target = JSON.parse('{"__proto__":"a","constructor":"b"}') as Json;
    const patch = JSON.parse('{"__proto__":"c","toString":"d"}') as Json;
    expect(JSON.stringify(mergePatch(target, patch))).toBe(
      '{"__proto__":"c","constructor":"b","toString":"d"}',
    );
  });
});
