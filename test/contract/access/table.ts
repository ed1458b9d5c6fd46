import type { SessionUser } from '../../../src/access/actor.ts';
import { ADMIN, DEVELOPER_A, DEVELOPER_B, GUEST, person } from '../../harness/api-client.ts';

/**
 * The access rules as a table, written down apart from the service's own decision: whatever is generated here is
 * what the contract says, in the order in which it says it.
 */

export interface Identity {
  readonly name: string;
  readonly user: SessionUser;
  readonly admin: boolean;
}

export const IDENTITIES: readonly Identity[] = [
  { name: 'an admin', user: ADMIN, admin: true },
  { name: 'a member of team-a', user: DEVELOPER_A, admin: false },
  { name: 'a member of team-b', user: DEVELOPER_B, admin: false },
  { name: 'someone without groups', user: GUEST, admin: false },
  {
    name: 'a member of Team-A, in other letters',
    user: person('cased@example.com', ['Team-A']),
    admin: false,
  },
  { name: 'a named user, written in capitals', user: person('NAMED@Example.COM', []), admin: false },
  {
    name: 'a member of "a, b", a group with a comma',
    user: person('comma@example.com', ['a, b']),
    admin: false,
  },
];

interface Rules {
  readonly groups: readonly string[];
  readonly users: readonly string[];
}

const NONE: Rules = { groups: [], users: [] };

function isNamed(user: SessionUser, { groups, users }: Rules): boolean {
  return (
    user.groups.some((group) => groups.includes(group)) ||
    users.some((email) => email.toLowerCase() === user.email.toLowerCase())
  );
}

export type PolicyUse = 'open' | 'unusable' | Rules;

export interface Policy {
  readonly name: string;
  /** The ConfigMap's data; undefined: there is none. */
  readonly data: Readonly<Record<string, string>> | undefined;
  readonly use: PolicyUse;
}

const policy = (name: string, use: PolicyUse, data?: Readonly<Record<string, string>>): Policy => ({
  name,
  use,
  data,
});

export const POLICIES: readonly Policy[] = [
  policy('absent', 'open'),
  policy('without either list', 'open', { other: 'ignored' }),
  policy('with empty lists', 'open', { allowedGroups: '[]', allowedUsers: '[]' }),
  policy('that names team-a', { groups: ['team-a'], users: [] }, { allowedGroups: '["team-a"]' }),
  policy(
    'that names a user',
    { groups: [], users: ['named@example.com'] },
    { allowedUsers: '["named@example.com"]' },
  ),
  policy('that names a group with a comma', { groups: ['a, b'], users: [] }, { allowedGroups: '["a, b"]' }),
  policy('that is no JSON', 'unusable', { allowedGroups: 'team-a' }),
  policy('that is no array', 'unusable', { allowedGroups: '{"team-a": true}' }),
  policy('with a blank entry', 'unusable', { allowedGroups: '["team-a", " "]' }),
  policy('with one good and one bad list', 'unusable', { allowedGroups: '["team-a"]', allowedUsers: 'null' }),
];

export interface Acl {
  readonly name: string;
  readonly rules: Rules;
}

export const ACLS: readonly Acl[] = [
  { name: 'no-rules', rules: NONE },
  { name: 'for-team-a', rules: { groups: ['team-a'], users: [] } },
  { name: 'for-a-user', rules: { groups: [], users: ['Named@example.com'] } },
  { name: 'for-both', rules: { groups: ['team-b'], users: ['guest@example.com'] } },
];

/** Any other answer means that the check let the request pass. */
export type Verdict = 'passes' | 403 | 503;

/** Admins first, then the Secret's own rules, and only then the policy. */
export function verdictOn({ user, admin }: Identity, { rules }: Acl, { use }: Policy): Verdict {
  if (admin) return 'passes';
  if (rules.groups.length + rules.users.length > 0) return isNamed(user, rules) ? 'passes' : 403;
  return verdictOfPolicy(user, use);
}

/** Creating is decided by the namespace alone: a Secret that does not exist has no rules. */
export function verdictOnCreate({ user, admin }: Identity, { use }: Policy): Verdict {
  return admin ? 'passes' : verdictOfPolicy(user, use);
}

function verdictOfPolicy(user: SessionUser, use: PolicyUse): Verdict {
  if (use === 'unusable') return 503;
  return use === 'open' || isNamed(user, use) ? 'passes' : 403;
}

/** A list is answered for everyone but those for whom the policy is needed and unusable, whatever is in it. */
export function listOf(
  identity: Identity,
  policyOf: Policy,
): 503 | { names: readonly string[]; canCreate: boolean } {
  const create = verdictOnCreate(identity, policyOf);
  if (create === 503) return 503;
  const names = ACLS.filter((acl) => verdictOn(identity, acl, policyOf) === 'passes').map(({ name }) => name);
  return { names: names.sort(), canCreate: create === 'passes' };
}
