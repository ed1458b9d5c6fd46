import { describe, expect, it } from 'vitest';
import type { AccessRules } from '../../../src/contract/access-rules.ts';
import type { SessionUser } from '../../../src/access/actor.ts';
import { decide, NO_RULES, type Decision } from '../../../src/access/decision.ts';
import type { PolicyState } from '../../../src/access/policy.ts';
import { user } from './users.ts';

/**
 * The whole table: admin × own rules × policy × identity. The expectation is written down a second time
 * here, from the contract, and not computed from the code.
 */

const IDENTITIES: Readonly<Record<string, SessionUser>> = {
  'by group': user({ email: 'x@example.com', groups: ['other', 'named'] }),
  'by email': user({ email: 'NAMED@example.com', groups: [] }),
  'by both': user({ email: 'named@example.com', groups: ['named'] }),
  'by neither': user({ email: 'x@example.com', groups: ['Named'] }),
  'by neither, without groups': user({ email: 'x@example.com', groups: [] }),
};
const NAMED = ['by group', 'by email', 'by both'];

const naming: AccessRules = { allowedGroups: ['named'], allowedUsers: ['Named@Example.com'] };
const notNaming: AccessRules = { allowedGroups: ['no-one'], allowedUsers: ['no-one@example.com'] };

const OWN: Readonly<Record<string, AccessRules>> = { empty: NO_RULES, match: naming, mismatch: notNaming };

const POLICIES: Readonly<Record<string, PolicyState | 'notRead'>> = {
  'not read': 'notRead',
  absent: { state: 'absent' },
  open: { state: 'rules', rules: NO_RULES },
  match: { state: 'rules', rules: naming },
  mismatch: { state: 'rules', rules: notNaming },
  invalid: { state: 'invalid', key: 'allowedGroups' },
  unavailable: { state: 'unavailable' },
};

function expected(admin: boolean, own: string, policy: string, named: boolean): Decision {
  if (admin) return { allowed: true, by: 'admin' };
  if (own === 'match') return { allowed: named, by: 'acl' };
  if (own === 'mismatch') return { allowed: false, by: 'acl' };
  if (policy === 'not read') return { allowed: 'unknown', because: 'notRead' };
  if (policy === 'invalid' || policy === 'unavailable') return { allowed: 'unknown', because: policy };
  if (policy === 'absent' || policy === 'open') return { allowed: true, by: 'open' };
  return { allowed: policy === 'match' && named, by: 'policy' };
}

const rows = [true, false].flatMap((admin) =>
  Object.keys(OWN).flatMap((own) =>
    Object.keys(POLICIES).flatMap((policy) =>
      Object.keys(IDENTITIES).map((identity) => ({
        admin,
        own,
        policy,
        identity,
        outcome: expected(admin, own, policy, NAMED.includes(identity)),
      })),
    ),
  ),
);

describe('the access decision', () => {
  it('is tested over the whole table', () => {
    expect(rows).toHaveLength(2 * 3 * 7 * 5);
  });

  it.each(rows)('admin: $admin, own rules: $own, policy: $policy, named $identity → $outcome', (row) => {
    const { admin, own, policy, identity, outcome } = row;
    const someone = IDENTITIES[identity] ?? user();
    expect(decide({ user: someone, admin }, OWN[own] ?? NO_RULES, POLICIES[policy] ?? 'notRead')).toEqual(
      outcome,
    );
  });

  it('one list of own rules is enough to shut out the policy', () => {
    const onlyGroups = { allowedGroups: ['no-one'], allowedUsers: [] };
    const onlyUsers = { allowedGroups: [], allowedUsers: ['no-one@example.com'] };
    const open: PolicyState = { state: 'absent' };
    for (const own of [onlyGroups, onlyUsers]) {
      expect(decide({ user: user(), admin: false }, own, open)).toEqual({ allowed: false, by: 'acl' });
    }
  });

  it('a principal with a comma is matched by the policy as one', () => {
    const policy: PolicyState = {
      state: 'rules',
      rules: { allowedGroups: ['cn=a,dc=b'], allowedUsers: ['"x,y"@example.com'] },
    };
    const allows = (overrides: Partial<SessionUser>) =>
      decide({ user: user(overrides), admin: false }, NO_RULES, policy).allowed;
    expect(allows({ groups: ['cn=a,dc=b'] })).toBe(true);
    expect(allows({ email: '"X,Y"@example.com', groups: [] })).toBe(true);
    expect(allows({ groups: ['cn=a', 'dc=b'] })).toBe(false);
  });
});
