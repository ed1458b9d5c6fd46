import { describe, expect, it } from 'vitest';
import type { AccessRules } from '../../../src/contract/access-rules.ts';
import type { SessionUser } from '../../../src/access/actor.ts';
import { decide, NO_RULES, type Decision } from '../../../src/access/decision.ts';
import type { KnownPolicy } from '../../../src/access/policy.ts';
import type { PolicyState } from '../../../src/access/policy.ts';
import { user } from './users.ts';

/**
 * The whole table: own rules × policy × identity. The expectation is written down here, from the contract and from
 * "Levels of access", and not computed from the code.
 */

const IDENTITIES: Readonly<Record<string, SessionUser>> = {
  'by group': user({ email: 'x@example.com', groups: ['other', 'named'] }),
  'by email': user({ email: 'NAMED@example.com', groups: [] }),
  'by both': user({ email: 'named@example.com', groups: ['named'] }),
  'by neither': user({ email: 'x@example.com', groups: ['Named'] }),
  'by neither, without groups': user({ email: 'x@example.com', groups: [] }),
};
const NAMED = ['by group', 'by email', 'by both'];

const GROUPS = ['named'];
const USERS = ['Named@Example.com'];
const ALLOWED = { allowedGroups: GROUPS, allowedUsers: USERS };
const OTHERS = { allowedGroups: ['no-one'], allowedUsers: ['no-one@example.com'] };
const WRITERS = { writerGroups: GROUPS, writerUsers: USERS };
const READERS = { readerGroups: GROUPS, readerUsers: USERS };
const OTHER_WRITERS = { writerGroups: ['no-one'], writerUsers: ['no-one@example.com'] };
const OTHER_READERS = { readerGroups: ['no-one'], readerUsers: ['no-one@example.com'] };

const rulesState = (rules: AccessRules): PolicyState => ({ state: 'rules', rules });

/** The columns. */
const POLICIES: readonly (readonly [name: string, policy: KnownPolicy])[] = [
  ['not read', { state: 'notRead' }],
  ['absent', { state: 'absent' }],
  ['open', rulesState(NO_RULES)],
  ['allows them', rulesState(ALLOWED)],
  ['allows others', rulesState(OTHERS)],
  ['has them as writers', rulesState({ ...OTHERS, ...WRITERS })],
  ['has them as readers', rulesState({ ...OTHERS, ...READERS })],
  ['invalid', { state: 'invalid', key: 'allowedGroups' }],
  ['unavailable', { state: 'unavailable' }],
];

const MANAGE = 'manage by secret';
const WRITE = 'write by secret';
const READ = 'read by secret';
const NONE = 'none by secret';
/** Of nine policies alike. */
const all = (cell: string): readonly string[] => POLICIES.map(() => cell);

/** With `?` the policy might give more, and could not be used. */
const TABLE: readonly (readonly [what: string, own: AccessRules, cells: readonly string[]])[] = [
  // The namespace decides all of it.
  [
    'no list',
    NO_RULES,
    [
      'none by namespace?',
      'manage by open',
      'manage by open',
      'manage by namespace',
      'none by namespace',
      'write by namespace',
      'read by namespace',
      'none by namespace?',
      'none by namespace?',
    ],
  ],
  // The Secret decides all of it: the namespace's policy is not even read.
  ['allowed lists that name them', { ...ALLOWED }, all(MANAGE)],
  ['allowed lists that name others', { ...OTHERS }, all(NONE)],
  ['allowed lists and readers that name them', { ...ALLOWED, ...READERS }, all(MANAGE)],
  ['allowed lists of others, and them as writers', { ...OTHERS, ...WRITERS }, all(WRITE)],
  ['allowed lists of others, and them as readers', { ...OTHERS, ...READERS }, all(READ)],
  ['allowed lists of others, and them as both', { ...OTHERS, ...WRITERS, ...READERS }, all(WRITE)],
  ['allowed lists of others, and readers, too', { ...OTHERS, ...OTHER_READERS }, all(NONE)],
  // Without allowed lists of its own, the namespace decides who manages. Its writers and readers do not count.
  [
    'writers that name them',
    { ...NO_RULES, ...WRITERS },
    [
      ...[`${WRITE}?`, 'manage by open', 'manage by open', 'manage by namespace'],
      ...[WRITE, WRITE, WRITE, `${WRITE}?`, `${WRITE}?`],
    ],
  ],
  [
    'readers that name them',
    { ...NO_RULES, ...READERS },
    [
      ...[`${READ}?`, 'manage by open', 'manage by open', 'manage by namespace'],
      ...[READ, READ, READ, `${READ}?`, `${READ}?`],
    ],
  ],
  [
    'writers that name others, and them as readers',
    { ...NO_RULES, ...OTHER_WRITERS, ...READERS },
    [
      ...[`${READ}?`, 'manage by open', 'manage by open', 'manage by namespace'],
      ...[READ, READ, READ, `${READ}?`, `${READ}?`],
    ],
  ],
  [
    'readers that name others',
    { ...NO_RULES, ...OTHER_READERS },
    [
      ...['none by namespace?', 'manage by open', 'manage by open', 'manage by namespace'],
      ...['none by namespace', 'none by namespace', 'none by namespace'],
      ...['none by namespace?', 'none by namespace?'],
    ],
  ],
];

/** What lists that name someone give to someone whom they do not name. */
const UNNAMED: Readonly<Record<string, AccessRules>> = {
  'no list': NO_RULES,
  'allowed lists': ALLOWED,
  'allowed lists, writers and readers': { ...ALLOWED, ...WRITERS, ...READERS },
  writers: { ...NO_RULES, ...WRITERS },
  readers: { ...NO_RULES, ...READERS },
};

const cellOf = ({ level, by, undecided }: Decision): string =>
  `${level} by ${by}${undecided === undefined ? '' : '?'}`;

const rows = TABLE.flatMap(([what, own, cells]) =>
  POLICIES.map(([policy, state], index) => ({ what, own, policy, state, cell: cells[index] ?? '' })),
);

describe('the access decision', () => {
  it('is tested over the whole table', () => {
    expect(rows).toHaveLength(12 * 9);
    expect(TABLE.every(([, , cells]) => cells.length === POLICIES.length)).toBe(true);
  });

  it.each(rows)('own: $what; policy: $policy → $cell', ({ own, state, cell }) => {
    for (const identity of NAMED) {
      const someone = IDENTITIES[identity] ?? user();
      const decision = decide({ user: someone, admin: false }, own, state);
      expect(cellOf(decision)).toBe(cell);
      expect(decision.undecided).toBe(cell.endsWith('?') ? state.state : undefined);
    }
  });

  it.each(rows)('own: $what; policy: $policy → an admin manages', ({ own, state }) => {
    for (const someone of Object.values(IDENTITIES)) {
      expect(decide({ user: someone, admin: true }, own, state)).toEqual({ level: 'manage', by: 'admin' });
    }
  });

  it.each(['by neither', 'by neither, without groups'])('whoever is named %s gets nothing', (identity) => {
    const someone = { user: IDENTITIES[identity] ?? user(), admin: false };
    for (const [what, own] of Object.entries(UNNAMED)) {
      for (const [policy, state] of POLICIES) {
        const isOpen = ['absent', 'open'].includes(policy) && !what.startsWith('allowed');
        expect([what, policy, decide(someone, own, state).level]).toEqual([
          ...[what, policy],
          isOpen ? 'manage' : 'none',
        ]);
      }
    }
  });

  it('one allowed list of its own is enough to shut out the policy', () => {
    const onlyGroups = { allowedGroups: ['no-one'], allowedUsers: [] };
    const onlyUsers = { allowedGroups: [], allowedUsers: ['no-one@example.com'] };
    const open: PolicyState = { state: 'absent' };
    for (const own of [onlyGroups, onlyUsers]) {
      expect(decide({ user: user(), admin: false }, own, open)).toEqual({ level: 'none', by: 'secret' });
    }
  });

  it.each(['writerGroups', 'writerUsers', 'readerGroups', 'readerUsers'])(
    'a single entry under %s keeps the writers and readers of the namespace out',
    (list) => {
      const own = { ...NO_RULES, [list]: ['no-one'] };
      const policy = rulesState({ ...OTHERS, ...WRITERS, ...READERS });
      const someone = { user: IDENTITIES['by both'] ?? user(), admin: false };
      expect(decide(someone, NO_RULES, policy).level).toBe('write');
      expect(decide(someone, own, policy).level).toBe('none');
      expect(decide(someone, { ...NO_RULES, [list]: [] }, policy).level).toBe('write');
    },
  );

  it('a principal with a comma is matched by the policy as one', () => {
    const policy = rulesState({ allowedGroups: ['cn=a,dc=b'], allowedUsers: ['"x,y"@example.com'] });
    const levelOf = (overrides: Partial<SessionUser>) =>
      decide({ user: user(overrides), admin: false }, NO_RULES, policy).level;
    expect(levelOf({ groups: ['cn=a,dc=b'] })).toBe('manage');
    expect(levelOf({ email: '"X,Y"@example.com', groups: [] })).toBe('manage');
    expect(levelOf({ groups: ['cn=a', 'dc=b'] })).toBe('none');
  });
});
