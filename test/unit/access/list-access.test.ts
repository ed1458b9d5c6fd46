import { describe, expect, it } from 'vitest';
import { createAccessesOfLists } from '../../../src/access/authorizer.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor, admin } from './users.ts';

const deadline = unhurriedCall();
const ACCESS = { canCreate: true, key: 'key', isVisible: () => true };

/** Over a policy cache that has the policies of some namespaces. */
function setUp(
  given: { has?: (namespace: string) => boolean; fail?: Record<string, Error>; scope?: string[] } = {},
) {
  const requested: string[] = [];
  const accessesOfLists = createAccessesOfLists(
    (_actor, namespace, { live, newest }) => {
      requested.push(`${namespace} ${String(live)} ${newest ?? ''}`);
      const error = given.fail?.[namespace];
      return error === undefined ? Promise.resolve(ACCESS) : Promise.reject(error);
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

  it('read a few policies, and none where memory has too few; administrators need none', async () => {
    const { accessesOfLists, requested } = setUp({ has: () => false });
    expect((await accessesOfLists(actor(), many(64), deadline))?.size).toBe(64);
    requested.length = 0;
    expect(await accessesOfLists(actor(), many(65), deadline)).toBeUndefined();
    expect(requested).toEqual([]);
    expect((await accessesOfLists(admin(), many(65), deadline))?.size).toBe(65);
  });
});
