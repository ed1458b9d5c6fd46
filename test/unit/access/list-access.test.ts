import { describe, expect, it } from 'vitest';
import { createAccessesOfLists } from '../../../src/access/authorizer.ts';
import type { PolicyState } from '../../../src/access/policy.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor, admin } from './users.ts';

const deadline = unhurriedCall();
const ACCESS = { canCreate: true, key: 'key', isVisible: () => true };

/** Over a policy cache that has the policies of some namespaces. */
function setUp(
  given: {
    has?: (namespace: string) => boolean;
    fail?: Record<string, Error>;
    scope?: string[];
    all?: Map<string, PolicyState>;
  } = {},
) {
  const requested: string[] = [];
  const accessesOfLists = createAccessesOfLists(
    (_actor, namespace, { live, newest, policy }) => {
      requested.push([namespace, live, newest, ...(policy ? [policy.state] : [])].join(' '));
      const error = given.fail?.[namespace];
      return error === undefined ? Promise.resolve(ACCESS) : Promise.reject(error);
    },
    () => {
      requested.push('all');
      const { all } = given;
      return Promise.resolve(all && ((namespace) => all.get(namespace) ?? { state: 'absent' }));
    },
    {
      state: (namespace) => ((given.has?.(namespace) ?? true) ? { state: 'absent' } : undefined),
    },
    scopeOf(given.scope),
  );
  return { accessesOfLists, requested };
}

const lists = (...namespaces: readonly string[]) =>
  namespaces.map((namespace) => ({ namespace, newest: '7' }));
const many = (count: number) => lists(...Array.from({ length: count }, (_, index) => `ns-${index}`));

describe('the decisions for lists of many namespaces', () => {
  it('are those of each list, with policies that are as new', async () => {
    const { accessesOfLists, requested } = setUp();
    const accesses = await accessesOfLists(actor(), lists('a', 'b'), deadline);
    expect(accesses).toEqual(
      new Map([
        ['a', ACCESS],
        ['b', ACCESS],
      ]),
    );
    expect(requested).toEqual(['a false 7', 'b false 7']);
  });

  it('are unusable where the policy is, and hide no other error', async () => {
    const unusable = setUp({ fail: { a: new ServiceError('policyUnavailable', 'no') } });
    expect((await unusable.accessesOfLists(actor(), lists('a', 'b'), deadline))?.get('a')).toBe('unusable');
    const defect = setUp({ fail: { a: new TypeError('a defect') } });
    await expect(defect.accessesOfLists(actor(), lists('a'), deadline)).rejects.toThrow('a defect');
  });

  it('leave out what is not in scope', async () => {
    const { accessesOfLists } = setUp({ scope: ['a'] });
    const accesses = await accessesOfLists(admin(), lists('a', 'b'), deadline);
    expect([...(accesses?.keys() ?? [])]).toEqual(['a']);
  });

  it('read a few policies one by one, and more than that as one list; administrators need none', async () => {
    const all = new Map<string, PolicyState>([['ns-1', { state: 'invalid', key: 'allowedUsers' }]]);
    const { accessesOfLists, requested } = setUp({ has: () => false, all });
    expect((await accessesOfLists(actor(), many(64), deadline))?.size).toBe(64);
    expect(requested).not.toContain('all');
    requested.length = 0;
    expect((await accessesOfLists(actor(), many(65), deadline))?.size).toBe(65);
    expect(requested.slice(0, 3)).toEqual(['all', 'ns-0 false 7 absent', 'ns-1 false 7 invalid']);
    requested.length = 0;
    expect((await accessesOfLists(admin(), many(65), deadline))?.size).toBe(65);
    expect(requested).not.toContain('all');
  });

  it.each([
    ['cannot be read', undefined, ['all']],
    ['need a right that a scope of names has not', many(65).map(({ namespace }) => namespace), []],
  ])('are none where memory has too few policies, and all of them %s', async (_why, scope, calls) => {
    const { accessesOfLists, requested } = setUp({ has: () => false, ...(scope && { scope }) });
    expect(await accessesOfLists(actor(), many(65), deadline)).toBeUndefined();
    expect(requested).toEqual(calls);
  });
});
