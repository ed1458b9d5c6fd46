import { machineUnder, type Machine, type MachineToken } from '../../../src/access/actor.ts';
import { parsePolicy, type PolicyState } from '../../../src/access/policy.ts';
import type { AccessRules } from '../../../src/contract/access-rules.ts';

export const token = (
  claims: Readonly<Record<string, unknown>> = {},
  ended: readonly string[] = [],
): MachineToken => ({
  issuer: 'ci',
  claims: { project_id: '7', ref: 'main', ...claims },
  isEnded: (identity) => ended.includes(identity),
});
export const machine = (given = token()): Machine => machineUnder(given, 'machine:team-a/first');

export const binding = (fields: object = {}): object => ({
  name: 'deploy',
  issuer: 'ci',
  claims: { project_id: '7' },
  level: 'read',
  secrets: ['database'],
  ...fields,
});

export const policyWith = (
  bindings: unknown,
  lists: Readonly<Record<string, readonly string[]>> = {},
): PolicyState =>
  parsePolicy({
    namespace: 'team-a',
    resourceVersion: '1',
    data: new Map([
      ['machines', typeof bindings === 'string' ? bindings : JSON.stringify(bindings)],
      ...Object.entries(lists).map(([key, list]) => [key, JSON.stringify(list)] as const),
    ]),
    binaryKeys: [],
  });

/** The rules of a Secret that names a group. */
export const OWN: AccessRules = { allowedGroups: ['team-a'], allowedUsers: [] };
