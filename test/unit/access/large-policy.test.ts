import { describe, expect, it } from 'vitest';
import { actorFor } from '../../../src/access/actor.ts';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { haveCommon } from '../../../src/contract/access-rules.ts';
import type { PolicyState } from '../../../src/access/policy.ts';
import { createNamespaceScope } from '../../../src/access/namespace-scope.ts';
import { startDeadline } from '../../../src/timing/deadline.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

const GROUPS = Array.from({ length: 500 }, (_, index) => `group-${index}`);
/** As many as a ConfigMap can hold: a mebibyte of `"123456",`. */
const ENTRIES = Array.from({ length: 100_000 }, (_, index) => String(100_000 + index));

describe('what two lists have in common', () => {
  it.each([
    ['nothing', ['a'], ['b'], false],
    ['one entry', ['a', 'b'], ['c', 'b'], true],
    ['nothing, when one is empty', [], ['b'], false],
    ['nothing but the case', ['A'], ['a'], false],
    ['the last of many', GROUPS, [...ENTRIES, 'group-499'], true],
    ['the last of many, the other way round', [...ENTRIES, 'group-499'], GROUPS, true],
    ['nothing of many', GROUPS, ENTRIES, false],
    ['a key of a prototype', ['__proto__'], [...ENTRIES, '__proto__'], true],
  ])('is found: %s', (_what, left, right, expected) => {
    expect(haveCommon(left, right)).toBe(expected);
  });

  it('costs as much as the lists are long, not as one times the other', () => {
    expect(quietMsOf(() => void haveCommon(GROUPS, ENTRIES))).toBeLessThan(20);
  });
});

describe('a list under a policy of a mebibyte', () => {
  const user = { sub: 's', email: 'a@example.com', name: 'a', groups: GROUPS };
  const actor = actorFor(user, { users: [], groups: [] });

  it.each([
    ['groups', { allowedGroups: ENTRIES, allowedUsers: [] }],
    ['users', { allowedGroups: [], allowedUsers: ENTRIES }],
  ])('of %s decides 5,000 Secrets without rules of their own at the cost of one', async (_what, rules) => {
    const state: PolicyState = { state: 'rules', rules };
    const authorizer = createAuthorizer({
      policies: {} as never,
      namespaces: {} as never,
      policyCache: {
        state: () => state,
        noteRead: () => undefined,
        startRead: () => ({ sequence: 0 }),
      },
      scope: createNamespaceScope({ everyNamespace: true, named: [] }),
    });
    const access = await authorizer.forList(
      actor,
      inScope('a'),
      { live: false, newest: undefined },
      startDeadline(10_000),
    );
    const none = { allowedGroups: [], allowedUsers: [] };
    const decide = () => Array.from({ length: 5_000 }, () => access.isVisible(none));
    expect(decide()).not.toContain(true);
    expect(access.isVisible({ allowedGroups: ['group-7'], allowedUsers: [] })).toBe(true);
    expect(quietMsOf(() => void decide())).toBeLessThan(100);
  });
});
