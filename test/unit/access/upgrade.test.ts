import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCESS_LEVELS,
  hasAnyList,
  includesLevel,
  RULE_LISTS,
  rulesOf,
  type AccessRules,
  type RuleList,
} from '../../../src/contract/access-rules.ts';
import { emailKey } from '../../../src/contract/email.ts';
import { actorFor, type Admins, type SessionUser } from '../../../src/access/actor.ts';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { decide, NO_RULES } from '../../../src/access/decision.ts';
import { parsePolicy, type StoredPolicy } from '../../../src/access/policy.ts';
import { startDeadline } from '../../../src/timing/deadline.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { WHOLE_CLUSTER } from '../../fakes/scopes.ts';
import { user } from './users.ts';

/**
 * Beside replicas of 0.1.0, and after an upgrade from it: no one loses what the contract's decision gives, and a replica
 * that does not know writers and readers gives less than a new one, never more. Its decision is written down here as it
 * was: it allows everything or nothing.
 */

type Verdict = true | false | 'unknown';
type OldPolicy = 'absent' | 'unusable' | Pick<AccessRules, 'allowedGroups' | 'allowedUsers'>;

function named(someone: SessionUser, { allowedGroups, allowedUsers }: AccessRules): boolean {
  return (
    someone.groups.some((group) => allowedGroups.includes(group)) ||
    allowedUsers.some((email) => emailKey(email) === emailKey(someone.email))
  );
}

function oldDecision(admin: boolean, someone: SessionUser, own: AccessRules, policy: OldPolicy): Verdict {
  if (admin) return true;
  if (own.allowedGroups.length + own.allowedUsers.length > 0) return named(someone, own);
  if (policy === 'unusable') return 'unknown';
  if (policy === 'absent' || policy.allowedGroups.length + policy.allowedUsers.length === 0) return true;
  return named(someone, policy);
}

/** It reads two keys, and ignores all others. */
function oldPolicy(stored: StoredPolicy | undefined): OldPolicy {
  if (stored === undefined) return 'absent';
  const lists = ['allowedGroups', 'allowedUsers'].map((key) => {
    try {
      const parsed: unknown = JSON.parse(stored.data.get(key) ?? '[]');
      const isList = Array.isArray(parsed) && parsed.every((one) => typeof one === 'string' && one !== '');
      return isList ? (parsed as string[]) : undefined;
    } catch {
      return undefined;
    }
  });
  const [allowedGroups, allowedUsers] = lists;
  if (allowedGroups === undefined || allowedUsers === undefined) return 'unusable';
  return { allowedGroups, allowedUsers };
}

const groups = fc.subarray(['team-a', 'team-b', 'Team-A']);
const users = fc.subarray(['ada@example.com', 'ADA@example.com', 'bob@example.com']);
const listOf = (list: RuleList) => (list.endsWith('Groups') ? groups : users);
const anyLists = fc.record(
  Object.fromEntries(RULE_LISTS.map((list) => [list, listOf(list)])) as Record<
    RuleList,
    fc.Arbitrary<string[]>
  >,
);
const anyRules = anyLists.map(rulesOf);
const anyPerson = fc
  .record({ email: fc.constantFrom('ada@example.com', 'Ada@Example.com', 'eve@example.com'), groups })
  .map(user);
const anyAdmins: fc.Arbitrary<Admins> = fc.record({
  users: fc.constant([]),
  groups: fc.subarray(['Team-A']),
});
/** Now and then a key is missing, or is no list. */
const anyText = (list: RuleList) =>
  fc.option(
    fc.oneof(
      { arbitrary: listOf(list).map((entries) => JSON.stringify(entries)), weight: 9 },
      { arbitrary: fc.constantFrom('x', '{}', '[1]', '[""]'), weight: 1 },
    ),
    { nil: undefined },
  );
const anyPolicy: fc.Arbitrary<StoredPolicy | undefined> = fc.option(
  fc
    .record(
      Object.fromEntries(RULE_LISTS.map((list) => [list, anyText(list)])) as Record<
        RuleList,
        fc.Arbitrary<string | undefined>
      >,
    )
    .map((texts) => ({
      namespace: 'team-a',
      resourceVersion: '1',
      data: new Map(
        Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
      ),
      binaryKeys: [],
    })),
  { nil: undefined },
);

/** The lists of writers and readers make the policy invalid: 0.1.0 ignores them, a new replica answers 503. */
const isNewlyInvalid = (stored: StoredPolicy | undefined): boolean =>
  parsePolicy(stored).state === 'invalid' && oldPolicy(stored) !== 'unusable';

const RUNS = { numRuns: 5_000 };

describe('beside a replica of 0.1.0', () => {
  it("the old decision's yes stays a yes to everything, for every pair of rules and person", () => {
    let yes = 0;
    fc.assert(
      fc.property(anyPerson, anyAdmins, anyRules, anyPolicy, (someone, admins, own, stored) => {
        const actor = actorFor(someone, admins);
        const old = oldDecision(actor.admin, someone, own, oldPolicy(stored));
        if (old !== true) return;
        const { level, undecided } = decide(actor, own, parsePolicy(stored));
        if (level !== 'manage') {
          expect(isNewlyInvalid(stored)).toBe(true);
          expect(undecided).toBe('invalid');
          return;
        }
        yes++;
      }),
      RUNS,
    );
    expect(yes).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it('and is so without the policy, too: a replica that cannot read it is no stricter than before', () => {
    fc.assert(
      fc.property(anyPerson, anyAdmins, anyRules, (someone, admins, own) => {
        const actor = actorFor(someone, admins);
        const old = oldDecision(actor.admin, someone, own, 'unusable');
        const { level, undecided } = decide(actor, own, { state: 'unavailable' });
        if (old === true) expect(level).toBe('manage');
        if (old === 'unknown') expect(undecided).toBe('unavailable');
        if (old === false) expect([level !== 'manage', undecided]).toEqual([true, undefined]);
      }),
      RUNS,
    );
  });

  it('no one gains more than `write` by the new lists: who manages is who did everything', () => {
    fc.assert(
      fc.property(anyPerson, anyAdmins, anyRules, anyPolicy, (someone, admins, own, stored) => {
        const actor = actorFor(someone, admins);
        const { level } = decide(actor, own, parsePolicy(stored));
        const old = oldDecision(actor.admin, someone, own, oldPolicy(stored));
        if (old !== true) expect(level).not.toBe('manage');
      }),
      RUNS,
    );
  });

  it('lists and `canCreate` show at least what they showed', async () => {
    await fc.assert(
      fc.asyncProperty(anyPerson, anyAdmins, anyRules, anyPolicy, async (someone, admins, own, stored) => {
        const state = parsePolicy(stored);
        const actor = actorFor(someone, admins);
        if (!actor.admin && (state.state === 'invalid' || state.state === 'unavailable')) return;
        const access = await authorizerUnder(stored).forList(actor, inScope('team-a'), LISTED, DEADLINE);
        const old = oldPolicy(stored);
        if (oldDecision(actor.admin, someone, own, old) === true) expect(access.isVisible(own)).toBe(true);
        if (oldDecision(actor.admin, someone, NO_RULES, old) === true) expect(access.canCreate).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('writers and readers', () => {
  it('only ever add: a list more takes no level from anyone', () => {
    fc.assert(
      fc.property(anyPerson, anyRules, anyLists, anyPolicy, (someone, own, more, stored) => {
        const actor = actorFor(someone, { users: [], groups: [] });
        const { allowedGroups, allowedUsers } = own;
        const added = RULE_LISTS.map((list) => [list, [...(own[list] ?? []), ...more[list]]] as const);
        const after = rulesOf({ ...Object.fromEntries(added), allowedGroups, allowedUsers });
        const policy = parsePolicy(stored);
        // A Secret that had no list at all leaves the namespace's writers and readers behind.
        const [old, now] = [decide(actor, own, policy).level, decide(actor, after, policy).level];
        for (const level of ACCESS_LEVELS) {
          if (includesLevel(old, level) && (hasAnyList(own) || old === 'manage'))
            expect(includesLevel(now, level)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('a list shows what the one decision allows to read, and no other, whatever the rules are', async () => {
    await fc.assert(
      fc.asyncProperty(anyPerson, anyAdmins, anyRules, anyPolicy, async (someone, admins, own, stored) => {
        const state = parsePolicy(stored);
        const actor = actorFor(someone, admins);
        if (!actor.admin && state.state === 'invalid') return;
        const access = await authorizerUnder(stored).forList(actor, inScope('team-a'), LISTED, DEADLINE);
        expect(access.isVisible(own)).toBe(decide(actor, own, state).level !== 'none');
        expect(access.canCreate).toBe(includesLevel(decide(actor, NO_RULES, state).level, 'write'));
      }),
      RUNS,
    );
  });
});

const LISTED = { live: false, newest: undefined };
const DEADLINE = startDeadline(600_000);

function authorizerUnder(stored: StoredPolicy | undefined) {
  return createAuthorizer({
    policies: { read: () => Promise.resolve(stored), readAll: () => Promise.resolve([]) },
    namespaces: { names: () => Promise.resolve([]) },
    scope: WHOLE_CLUSTER,
  });
}
