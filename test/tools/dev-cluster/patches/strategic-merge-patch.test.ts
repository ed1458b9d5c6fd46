import { describe, expect, it } from 'vitest';
import { type JsonObject } from '../../../../hack/dev-cluster/json/json.ts';
import { strategicMergePatch } from '../../../../hack/dev-cluster/patches/strategic-merge-patch.ts';

const RULES = { 'spec.items': { key: 'name' }, 'spec.items.env': { key: 'name' }, tags: 'set' } as const;
const patched = (target: JsonObject, patch: JsonObject): JsonObject =>
  strategicMergePatch(target, patch, RULES);

describe('a strategic merge patch', () => {
  it('merges a keyed list, deeply, and puts new items before those it does not name', () => {
    const target = {
      spec: { items: [{ name: 'a', x: 1, env: [{ name: 'E', value: '1' }] }, { name: 'b' }] },
    };
    const patch = { spec: { items: [{ name: 'a', env: [{ name: 'F', value: '2' }] }, { name: 'c' }] } };
    expect(patched(target, patch)).toEqual({
      spec: {
        items: [
          {
            name: 'a',
            x: 1,
            env: [
              { name: 'F', value: '2' },
              { name: 'E', value: '1' },
            ],
          },
          { name: 'c' },
          { name: 'b' },
        ],
      },
    });
  });

  it('replaces a list that has no key', () => {
    expect(patched({ other: [1, 2] }, { other: [3] })).toEqual({ other: [3] });
  });

  it('merges plain values as a set, and takes out what `$deleteFromPrimitiveList` names', () => {
    expect(patched({ tags: ['a', 'b'] }, { tags: ['b', 'c'] })).toEqual({ tags: ['a', 'b', 'c'] });
    expect(patched({ tags: ['a', 'b'] }, { '$deleteFromPrimitiveList/tags': ['a'] })).toEqual({
      tags: ['b'],
    });
    expect(patched({ tags: ['a'] }, { '$deleteFromPrimitiveList/tags': ['a'] })).toEqual({});
  });

  it('keeps the order that is requested', () => {
    const order = { '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }], items: [{ name: 'b', x: 1 }] };
    expect(patched({ spec: { items: [{ name: 'a' }, { name: 'b' }] } }, { spec: order })).toEqual({
      spec: { items: [{ name: 'b', x: 1 }, { name: 'a' }] },
    });
    const reordered = { '$setElementOrder/tags': ['b', 'a'] };
    expect(patched({ tags: ['a', 'b'] }, reordered)).toEqual({ tags: ['b', 'a'] });
  });

  it('removes an item, or replaces a list or an object, as `$patch` says', () => {
    const target = { spec: { items: [{ name: 'a' }, { name: 'b' }], z: 1 } };
    expect(patched(target, { spec: { items: [{ name: 'a', $patch: 'delete' }] } })).toEqual({
      spec: { items: [{ name: 'b' }], z: 1 },
    });
    expect(patched(target, { spec: { items: [{ $patch: 'replace' }, { name: 'c' }] } })).toEqual({
      spec: { items: [{ name: 'c' }], z: 1 },
    });
    expect(patched(target, { spec: { $patch: 'replace', y: 2 } })).toEqual({ spec: { y: 2 } });
  });

  it('keeps only the keys that `$retainKeys` names', () => {
    expect(patched({ s: { type: 'A', a: 1 } }, { s: { $retainKeys: ['type'], type: 'B' } })).toEqual({
      s: { type: 'B' },
    });
  });

  it('removes by null, and leaves no directive behind', () => {
    expect(patched({ a: 1, b: 2 }, { a: null, '$setElementOrder/tags': [] })).toEqual({ b: 2 });
  });

  it('keeps keys that every JavaScript object has', () => {
    const target = { data: JSON.parse('{"__proto__":"a"}') as JsonObject };
    expect(JSON.stringify(patched(target, { data: { toString: 'b' } }))).toBe(
      '{"data":{"__proto__":"a","toString":"b"}}',
    );
  });
});
