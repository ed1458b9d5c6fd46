import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/access/policy.ts';

const policy = (
  data: ReadonlyMap<string, string> | Record<string, string>,
  binaryKeys: readonly string[] = [],
) =>
  parsePolicy({
    namespace: 'team-a',
    resourceVersion: '1',
    data: data instanceof Map ? data : new Map(Object.entries(data)),
    binaryKeys,
  });

const rules = (allowedGroups: string[], allowedUsers: string[]) => ({
  state: 'rules',
  rules: { allowedGroups, allowedUsers },
});

describe('a namespace policy', () => {
  it('that is not there is absent', () => {
    expect(parsePolicy(undefined)).toEqual({ state: 'absent' });
  });

  it('without keys has empty rules', () => {
    expect(policy({})).toEqual(rules([], []));
    expect(policy({ allowedGroups: '[]', allowedUsers: ' [ ] ' })).toEqual(rules([], []));
  });

  it('with one key has an empty list for the other', () => {
    expect(policy({ allowedGroups: '["a"]' })).toEqual(rules(['a'], []));
    expect(policy({ allowedUsers: '["u@example.com"]' })).toEqual(rules([], ['u@example.com']));
  });

  it('keeps entries exactly: commas, whitespace, case, order and duplicates', () => {
    const groups = ['cn=a,dc=b', ' padded ', 'A', 'a', 'a', '__proto__'];
    expect(policy({ allowedGroups: JSON.stringify(groups) })).toEqual(rules(groups, []));
  });

  it('ignores other keys, whatever they are called and hold', () => {
    const others = new Map([
      ['__proto__', '["evil"]'],
      ['constructor', 'not json'],
      ['allowedgroups', 'not json'],
      ['AllowedUsers', 'not json'],
      ['description', '{'],
      ['allowedUsers', '["u"]'],
    ]);
    expect(policy(others, ['logo.png'])).toEqual(rules([], ['u']));
  });

  it('does not take a list from the prototype of anything', () => {
    expect(policy(new Map([['__proto__', '{"allowedGroups": ["evil"]}']]))).toEqual(rules([], []));
  });

  const INVALID: readonly (readonly [what: string, text: string])[] = [
    ['nothing', ''],
    ['a blank', '  '],
    ['plain text', 'team-a'],
    ['a comma-separated list', 'a,b'],
    ['YAML', '- team-a'],
    ['a JSON string', '"team-a"'],
    ['a number', '1'],
    ['null', 'null'],
    ['true', 'true'],
    ['an object', '{"0": "a", "length": 1}'],
    ['broken JSON', '["a"'],
    ['a trailing comma', '["a",]'],
    ['two documents', '["a"] ["b"]'],
    ['a comment', '["a"] // b'],
    ['a byte order mark', '\ufeff["a"]'],
    ['an empty entry', '["a", ""]'],
    ['a blank entry', '["a", " \\t"]'],
    ['a number among the entries', '["a", 1]'],
    ['null among the entries', '["a", null]'],
    ['a nested list', '["a", ["b"]]'],
    ['an object among the entries', '[{"name": "a"}]'],
  ];

  it.each(INVALID)('with %s under allowedGroups is invalid', (_what, text) => {
    expect(policy({ allowedGroups: text, allowedUsers: '["u"]' })).toEqual({
      state: 'invalid',
      key: 'allowedGroups',
    });
  });

  it.each(INVALID)('with %s under allowedUsers is invalid', (_what, text) => {
    expect(policy({ allowedGroups: '["a"]', allowedUsers: text })).toEqual({
      state: 'invalid',
      key: 'allowedUsers',
    });
  });

  it.each(['allowedGroups', 'allowedUsers'] as const)('with binary %s is invalid', (key) => {
    expect(policy({}, [key])).toEqual({ state: 'invalid', key });
    expect(policy({ [key]: '["a"]' }, [key])).toEqual({ state: 'invalid', key });
  });

  it('has writers and readers beside an allowed list', () => {
    const lists = { allowedUsers: ['u'], writerGroups: ['w, x'], readerGroups: ['r'], readerUsers: ['R@x'] };
    const data = Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, JSON.stringify(list)]));
    expect(policy(data)).toEqual({ state: 'rules', rules: { allowedGroups: [], ...lists } });
    expect(policy({ ...data, writerUsers: '[]' })).toEqual(policy(data));
  });

  it.each(['writerGroups', 'writerUsers', 'readerGroups', 'readerUsers'] as const)(
    'with %s but neither allowed list is invalid: it would leave the namespace open',
    (key) => {
      for (const allowed of [{}, { allowedGroups: '[]' }, { allowedGroups: '[]', allowedUsers: '[]' }]) {
        expect(policy({ ...allowed, [key]: '["a"]' })).toMatchObject({ state: 'invalid' });
        expect(policy({ ...allowed, [key]: '[]' })).toEqual(rules([], []));
      }
      expect(policy({ allowedGroups: '["a"]', [key]: '["a"]' })).toMatchObject({ state: 'rules' });
    },
  );

  it.each(
    (['writerGroups', 'writerUsers', 'readerGroups', 'readerUsers'] as const).flatMap((key) =>
      INVALID.map(([what, text]) => [what, key, text] as const),
    ),
  )('with %s under %s is invalid', (_what, key, text) => {
    expect(policy({ allowedGroups: '["a"]', [key]: text })).toEqual({ state: 'invalid', key });
  });

  it('that is invalid does not say what it holds', () => {
    expect(JSON.stringify(policy({ allowedGroups: '["planted-4711"' }))).not.toContain('planted-4711');
  });
});
