import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../../src/errors/service-error.ts';
import { parseList } from '../../../../src/cluster/transport/parse-list.ts';

/** The list as JSON.parse would make it; undefined where it, or one of its items, is malformed. */
function whole(text: string): unknown {
  const parsed = parseList(Buffer.from(text));
  if (parsed === undefined) return undefined;
  try {
    const items = Array.from(parsed.items, ([native]) => native);
    const list = parsed.body as { readonly items?: unknown };
    return Array.isArray(list.items) ? { ...list, items } : list;
  } catch (error) {
    if (isServiceError(error, 'unavailable')) return undefined;
    throw error;
  }
}

/** Undefined for what is not an object, which no list is. */
function byJsonParse(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && !Array.isArray(parsed) && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const value = fc.jsonValue();
const list = fc.record({ kind: value, items: fc.array(value), metadata: value }, { requiredKeys: [] });
const text = fc
  .tuple(list, fc.constantFrom('', ' ', '\t', '\n'))
  .map(([object, indent]) => JSON.stringify(object, undefined, indent));

describe('parseList', () => {
  it('returns what JSON.parse returns, however the list is written', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(whole(written)).toEqual(byJsonParse(written));
      }),
    );
  });

  it('accepts nothing else when characters are missing, replaced or added', () => {
    const edit = fc.record({
      at: fc.nat(),
      cut: fc.nat(3),
      more: fc.constantFrom(...['', '"', '\\', ',', ':', '[', ']', '{', '}', '0', ' ', '"items":[1],']),
    });
    fc.assert(
      fc.property(text, edit, (written, { at, cut, more }) => {
        const start = at % (written.length + 1);
        const edited = `${written.slice(0, start)}${more}${written.slice(start + cut)}`;
        expect(whole(edited)).toEqual(byJsonParse(edited));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['brackets, quotes and commas within texts', '{"items":["]},\\"\\\\",{"a":"[{,"}]}'],
    ['whitespace everywhere', ' { "items" : [ 1 , [ ] , { } ] , "kind" : null } '],
    ['items that are no array', '{"items":null,"kind":"SecretList"}'],
    ['an object without anything', '{}'],
  ])('takes %s', (_what, written) => {
    expect(whole(written)).toEqual(JSON.parse(written));
  });

  it.each([
    ['an item that is cut off', '{"items":[{"a":1'],
    ['an item without a comma before it', '{"items":[1 2]}'],
    ['a comma without an item', '{"items":[1,]}'],
    ['a brace for a bracket', '{"items":[{"a":1]]}'],
    ['something after the end', '{"items":[]}x'],
    ['items under a key that is written with an escape sequence', '{"item\\u0073":[1]}'],
    ['a list of values', '[1]'],
    ['nothing', ''],
  ])('refuses %s', (_what, written) => {
    expect(whole(written)).toBeUndefined();
  });

  it('parses an item when it is read, not earlier', () => {
    const items = parseList(Buffer.from('{"items":[{"a":1},{"b":}]}'))?.items[Symbol.iterator]();
    expect(items?.next().value).toEqual([{ a: 1 }, 7]);
    expect(() => items?.next()).toThrow('The cluster is unavailable');
  });

  it('refuses text that is not UTF-8', () => {
    expect([...(parseList(Buffer.from('{"items":["a"]}'))?.items ?? [])]).toEqual([['a', 3]]);
    const [item] = [parseList(Buffer.from([...Buffer.from('{"items":["'), 0xff, ...Buffer.from('"]}')]))];
    expect(() => [...(item?.items ?? [])]).toThrow('The cluster is unavailable');
  });
});
