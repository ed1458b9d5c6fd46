import { describe, expect, it } from 'vitest';
import {
  decide,
  decideInNamespace,
  decideWithin,
  explainAccess,
  NO_RULES,
} from '../../../src/access/decision.ts';
import { parsePolicy, type PolicyState } from '../../../src/access/policy.ts';
import type { AccessRules } from '../../../src/contract/access-rules.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';
import { binding, machine, OWN, policyWith, token } from './machines-fixture.ts';

const FOR_MACHINE: AccessRules = { allowedGroups: [], allowedUsers: ['machine:team-a/first'] };

/** Each case of what a machine may do with a Secret `database`. */
const CASES: readonly (readonly [
  what: string,
  policy: PolicyState,
  own: AccessRules,
  name: string | undefined,
  level: string,
])[] = [
  ['a binding that names the Secret', policyWith([binding()]), NO_RULES, 'database', 'read'],
  ['a binding that names the Secret, which has rules', policyWith([binding()]), OWN, 'database', 'read'],
  [
    'a binding of another Secret',
    policyWith([binding({ secrets: ['other'] })]),
    NO_RULES,
    'database',
    'none',
  ],
  [
    'a binding of a Secret whose name begins so',
    policyWith([binding({ secrets: ['data'] })]),
    NO_RULES,
    'database',
    'none',
  ],
  ['a binding of all Secrets', policyWith([binding({ secrets: '*' })]), NO_RULES, 'database', 'read'],
  [
    'a binding of all Secrets, and one with rules',
    policyWith([binding({ secrets: '*' })]),
    OWN,
    'database',
    'none',
  ],
  [
    'a binding of all Secrets, and one with readers',
    policyWith([binding({ secrets: '*' })]),
    { ...NO_RULES, readerUsers: ['a@example.com'] },
    'database',
    'none',
  ],
  [
    'a binding of all Secrets, and a new one',
    policyWith([binding({ secrets: '*', level: 'write' })]),
    NO_RULES,
    undefined,
    'write',
  ],
  [
    'a binding of one Secret, and a new one',
    policyWith([binding({ level: 'manage' })]),
    NO_RULES,
    undefined,
    'none',
  ],
  ['a binding of another issuer', policyWith([binding({ issuer: 'other' })]), NO_RULES, 'database', 'none'],
  [
    'a binding of another claim',
    policyWith([binding({ claims: { project_id: '8' } })]),
    NO_RULES,
    'database',
    'none',
  ],
  [
    'a binding of a claim in another case',
    policyWith([binding({ claims: { ref: 'Main' } })]),
    NO_RULES,
    'database',
    'none',
  ],
  [
    'a binding of which one claim differs',
    policyWith([binding({ claims: { project_id: '7', ref: 'x' } })]),
    NO_RULES,
    'database',
    'none',
  ],
  [
    'a binding of one of several texts',
    policyWith([binding({ claims: { ref: ['x', 'main'] } })]),
    NO_RULES,
    'database',
    'read',
  ],
  ['no policy', { state: 'absent' }, NO_RULES, 'database', 'none'],
  ['a policy without bindings', policyWith([]), NO_RULES, 'database', 'none'],
  ['a policy that names people', policyWith([], { allowedGroups: ['team-a'] }), NO_RULES, 'database', 'none'],
  [
    'a policy that lists the machine among people',
    policyWith([], { allowedUsers: ['machine:team-a/first'] }),
    NO_RULES,
    'database',
    'none',
  ],
  ['a Secret that lists the machine among people', policyWith([]), FOR_MACHINE, 'database', 'none'],
  [
    'several bindings, which add up',
    policyWith([
      binding(),
      binding({ name: 'more', level: 'manage' }),
      binding({ name: 'some', level: 'write' }),
    ]),
    NO_RULES,
    'database',
    'manage',
  ],
];

describe('the decision about a machine', () => {
  it.each(CASES)('%s', (_what, policy, own, name, level) => {
    expect(decide(machine(), own, policy, name)).toMatchObject({ level, by: 'namespace' });
  });

  it.each(['read', 'write', 'manage'])('gives the level %s of its binding', (level) => {
    expect(decide(machine(), NO_RULES, policyWith([binding({ level })]), 'database').level).toBe(level);
  });

  it('is undecided while the policy is not known, or its bindings are malformed', () => {
    for (const policy of [
      { state: 'notRead' },
      { state: 'unavailable' },
      { state: 'invalid', key: 'allowedUsers' },
      policyWith('no JSON'),
    ] as const) {
      const { level, undecided } = decide(machine(), NO_RULES, policy, 'database');
      expect([level, undecided]).toEqual(['none', expect.any(String)]);
    }
  });

  it('shows no rules, which name people', () => {
    const policy = policyWith([binding()], { allowedGroups: ['team-a'] });
    const decision = decide(machine(), NO_RULES, policy, 'database');
    expect(explainAccess(machine(), decision, policy, { own: NO_RULES, name: 'database' })).toEqual({
      level: 'read',
      by: 'namespace',
      namespaceRules: { state: 'hidden' },
    });
  });

  it('looks up each Secret of a list, however many a binding names', () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `s-${index}`);
    const inNamespace = decideInNamespace(machine(), policyWith([binding({ secrets: names })]));
    const decideAll = () =>
      names.every((name) => decideWithin(inNamespace, machine(), NO_RULES, name).level === 'read');
    expect(decideAll()).toBe(true);
    expect(quietMsOf(() => void decideAll())).toBeLessThan(50);
  });

  it('costs little under a policy of a mebibyte of JSON Pointers', () => {
    const policy = policyWith([binding({ claims: { [`/${'~0'.repeat(500_000)}`]: 'x' } })]);
    expect(quietMsOf(() => void decideInNamespace(machine(), policy))).toBeLessThan(5);
  });

  it('does not count a binding that was ended early', () => {
    const ended = machine(token({}, ['machine:team-a/deploy']));
    const policy = policyWith([binding({ level: 'manage' }), binding({ name: 'other' })]);
    expect(decide(ended, NO_RULES, policy, 'database').level).toBe('read');
  });
});

describe('the claims of a binding', () => {
  const matches = (claims: object, given: Readonly<Record<string, unknown>>): boolean =>
    (decideInNamespace(machine(token(given)), policyWith([binding({ claims })])).matching ?? []).length > 0;

  it.each([
    ['a JSON Pointer', { '/a/b': 'x' }, { a: { b: 'x' } }, true],
    ['a pointer with ~1 and ~0', { '/a~1b/~0c': 'x' }, { 'a/b': { '~c': 'x' } }, true],
    ['a pointer with ~01', { '/~01': 'x' }, { '~1': 'x' }, true],
    ['an element of a list', { '/groups/1': 'x' }, { groups: ['y', 'x'] }, true],
    ['an element by another spelling', { '/groups/01': 'x' }, { groups: ['y', 'x'] }, false],
    ['the end of a list', { '/groups/-': 'x' }, { groups: ['x'] }, false],
    ['a list as a text', { groups: 'x' }, { groups: ['x'] }, false],
    ['the length of a list', { '/groups/length': '1' }, { groups: ['x'] }, false],
    ['a number', { id: '7' }, { id: 7 }, false],
    ['true', { flag: 'true' }, { flag: true }, false],
    ['null', { id: 'null' }, { id: null }, false],
    ['a dotted name', { 'a.b': 'x' }, { a: { b: 'x' } }, false],
    ['a name with a dot', { 'a.b': 'x' }, { 'a.b': 'x' }, true],
    ['a pointer that is a name', { '/a': 'x' }, { '/a': 'x' }, false],
    ['what every object has', { '/constructor/name': 'Object' }, {}, false],
    ['a character of a text', { '/ref/0': 'm' }, {}, false],
    ['a text that contains it', { ref: 'main' }, { ref: 'main2' }, false],
    ['a branch in another case', { ref: 'main' }, { ref: 'Main' }, false],
    [
      'a subject that is built to look like another',
      { sub: 'repo:a/b:ref:refs/heads/main' },
      { sub: 'repo:a/b:ref:refs/heads/x:ref:refs/heads/main' },
      false,
    ],
    ['a text with a line break', { ref: 'main' }, { ref: 'main\n' }, false],
  ] as const)('%s', (_what, claims, given, expected) => {
    expect(matches(claims, given)).toBe(expected);
  });

  it('__proto__ is a claim like any other', () => {
    const claims = JSON.parse('{"__proto__":"x"}') as object;
    expect(matches(claims, {})).toBe(false);
    expect(matches(claims, JSON.parse('{"__proto__":"x"}') as Record<string, unknown>)).toBe(true);
  });
});

describe('the key machines of a policy', () => {
  it.each([
    ['no JSON', '{', /^must be a JSON array/],
    ['no list', '{}', /^must be a JSON array/],
    [
      '101 bindings',
      Array.from({ length: 101 }, (_, index) => binding({ name: `b${index}` })),
      /^must be a JSON array of at most 100/,
    ],
    ['a byte more than 128 KiB', '[]'.padEnd(131_073), /^must be a JSON array of at most .* and 128 KiB$/],
    ['no object', ['c4n4ry'], /^\[0\] must be an object$/],
    ['an unknown field', [binding({ c4n4ry: true })], /^\[0\] must have name, issuer/],
    ['a missing field', [binding(), binding({ name: 'b', level: undefined })], /^\[1\]\.level must/],
    ['a name that is no label', [binding({ name: 'C4n4ry' })], /^\[0\]\.name must/],
    ['two of a name', [binding(), binding()], /^name must differ/],
    ['an empty issuer', [binding({ issuer: '' })], /^\[0\]\.issuer must/],
    ['no claims', [binding({ claims: {} })], /^\[0\]\.claims must/],
    ['claims as a list', [binding({ claims: ['c4n4ry'] })], /^\[0\]\.claims must/],
    ['an empty text', [binding({ claims: { a: '' } })], /^\[0\]\.claims must/],
    ['an empty list of texts', [binding({ claims: { a: [] } })], /^\[0\]\.claims must/],
    ['a number', [binding({ claims: { a: 7 } })], /^\[0\]\.claims must/],
    [
      'a pointer of 257 characters',
      [binding({ claims: { [`/${'a'.repeat(256)}`]: 'a' } })],
      /^\[0\]\.claims must/,
    ],
    ['a broken pointer', [binding({ claims: { '/~2': 'a' } })], /^\[0\]\.claims must/],
    ['another level', [binding({ level: 'admin' })], /^\[0\]\.level must/],
    ['no Secrets', [binding({ secrets: [] })], /^\[0\]\.secrets must/],
    ['a pattern', [binding({ secrets: ['c4n4ry-*'] })], /^\[0\]\.secrets must/],
    ['a name as a text', [binding({ secrets: 'c4n4ry' })], /^\[0\]\.secrets must/],
  ])('with %s is malformed, and people see no difference', (_what, bindings, problem) => {
    const policy = policyWith(bindings, { allowedGroups: ['team-a'] });
    const { machines, ...people } = policy as PolicyState & { machines?: { kind: string; problem: string } };
    expect(machines?.kind).toBe('malformed');
    expect(machines?.problem).toMatch(problem);
    expect(JSON.stringify(machines)).not.toContain('4n4ry');
    expect(people).toEqual(parsePolicy({ ...stored, data: new Map([['allowedGroups', '["team-a"]']]) }));
  });

  const stored = {
    namespace: 'team-a',
    resourceVersion: '1',
    data: new Map<string, string>(),
    binaryKeys: [],
  };

  it('may have 128 KiB', () => {
    expect(policyWith('[]'.padEnd(131_072))).toMatchObject({ machines: { kind: 'bindings' } });
  });

  it('is malformed as a binary value', () => {
    const policy = parsePolicy({ ...stored, binaryKeys: ['machines'] });
    expect(policy).toMatchObject({ state: 'rules', machines: { kind: 'malformed' } });
  });

  it('names who acts by namespace and binding', () => {
    expect(policyWith([binding()])).toMatchObject({
      machines: { bindings: [{ name: 'deploy', identity: 'machine:team-a/deploy' }] },
    });
  });
});
