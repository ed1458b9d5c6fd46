import { describe, expect, it } from 'vitest';
import type { PolicyState } from '../../../src/access/policy.ts';
import { CachedPolicies } from '../../../src/caches/policy-cache.ts';

const OPEN: PolicyState = { state: 'absent' };
const rules = (revision: number): PolicyState => ({
  state: 'rules',
  rules: { allowedGroups: [`of ${revision}`], allowedUsers: [] },
});

/** A policy is what it was at its revision. */
function fixture() {
  const held = new Map<string, number>();
  const status = { synced: true, revision: '10', silenceMs: 0, isForbidden: false };
  const objects = {
    get: (namespace: string, name: string) => {
      const revision = name === 'service-policy' ? held.get(namespace) : undefined;
      return revision === undefined
        ? undefined
        : { namespace, resourceVersion: String(revision), state: rules(revision) };
    },
  };
  const cache = new CachedPolicies({
    reflectorOf: (namespace) => (namespace === 'outside' ? undefined : { objects, status: () => status }),
    policyName: 'service-policy',
    maxSilenceMs: 90_000,
  });
  /** Begins a live read, to be answered with the policy of a revision, or without one. */
  const read = (reached?: number, namespace = 'ns') => {
    const since = cache.startRead();
    return (revision: number | undefined) => {
      cache.noteRead(namespace, {
        state: revision === undefined ? OPEN : rules(revision),
        resourceVersion: revision?.toString(),
        since,
        reached: reached?.toString(),
      });
    };
  };
  /** The watch brings the policy of a revision, or its deletion. */
  const arrive = (revision: number, isDeleted = false) => {
    if (isDeleted) held.delete('ns');
    else held.set('ns', revision);
    status.revision = String(revision);
  };
  return { held, status, cache, read, arrive };
}

describe('the policy cache', () => {
  it('holds rules and absence', () => {
    const { arrive, cache } = fixture();
    expect(cache.state('ns')).toEqual(OPEN);
    arrive(11);
    expect(cache.state('ns')).toEqual(rules(11));
    arrive(12, true);
    expect(cache.state('ns')).toEqual(OPEN);
  });

  it.each([
    ['before it has held a whole list', { synced: false }],
    ['while a right is missing', { isForbidden: true }],
    ['when its watch has been silent for too long', { silenceMs: 90_001 }],
  ])('does not vouch for anything %s', (_when, change) => {
    const { status, cache } = fixture();
    Object.assign(status, change);
    expect(cache.state('ns')).toBeUndefined();
  });

  it('does not vouch for namespaces that it does not follow', () => {
    expect(fixture().cache.state('outside')).toBeUndefined();
  });

  it('does not vouch for what is older than the last live read, until it has arrived', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    read()(12);
    expect(cache.state('ns')).toBeUndefined();
    expect(cache.state('other')).toEqual(OPEN);
    arrive(12);
    expect(cache.state('ns')).toEqual(rules(12));
    arrive(13);
    expect(cache.state('ns')).toEqual(rules(13));
  });

  it('does not vouch for a policy that a live read did not find, until its deletion has arrived', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    read()(undefined);
    expect(cache.state('ns')).toBeUndefined();
    arrive(12, true);
    expect(cache.state('ns')).toEqual(OPEN);
  });

  it('does not vouch for an absence where a live read has found a policy, unless it was deleted after that', () => {
    const { cache, read, status } = fixture();
    read()(12);
    expect(cache.state('ns')).toBeUndefined();
    status.revision = '13';
    expect(cache.state('ns')).toEqual(OPEN);
  });
});

describe('a live answer that comes late', () => {
  it('is no news when the watch has brought a newer policy meanwhile', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    const answer = read();
    arrive(12);
    answer(11);
    expect(cache.state('ns')).toEqual(rules(12));
  });

  it('is no news when the policy was deleted meanwhile', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    const answer = read();
    arrive(12, true);
    answer(11);
    expect(cache.state('ns')).toEqual(OPEN);
  });

  it('does not undo a newer one that came before it', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    const slow = read();
    read()(12);
    slow(11);
    expect(cache.state('ns')).toBeUndefined();
    arrive(12);
    expect(cache.state('ns')).toEqual(rules(12));
  });

  it('counts when it is the newer one after all', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    const slow = read();
    read()(12);
    slow(13);
    arrive(12);
    expect(cache.state('ns')).toBeUndefined();
    arrive(13);
    expect(cache.state('ns')).toEqual(rules(13));
  });

  it('without a policy does not undo a newer one with a policy, nor the other way round', () => {
    const { cache, read, arrive } = fixture();
    arrive(11);
    const slow = read();
    read()(undefined);
    slow(11);
    expect(cache.state('ns')).toBeUndefined();
    read()(11); // begun after both: it is certain
    expect(cache.state('ns')).toEqual(rules(11));
  });

  it('without a policy, when one was created meanwhile, is settled by the next read', () => {
    const { cache, read, arrive } = fixture();
    const slow = read();
    arrive(11);
    slow(undefined);
    expect(cache.state('ns')).toBeUndefined();
    read()(11);
    expect(cache.state('ns')).toEqual(rules(11));
  });
});

describe('a policy at a revision of the cluster', () => {
  it('is known where the watch has reached it', () => {
    const { cache, arrive } = fixture();
    arrive(11);
    expect(cache.state('ns', '11')).toEqual(rules(11));
    expect(cache.state('ns', '9')).toEqual(rules(11));
    expect(cache.state('ns', '12')).toBeUndefined();
    arrive(110);
    expect(cache.state('ns', '99')).toEqual(rules(110));
  });

  it('is known, without the watch, from a live read that began after it', () => {
    const { cache, read } = fixture();
    read(20)(undefined);
    expect(cache.state('ns', '20')).toEqual(OPEN);
    expect(cache.state('ns', '15')).toEqual(OPEN);
    expect(cache.state('ns', '21')).toBeUndefined();
    expect(cache.state('other', '20')).toBeUndefined();
    read(21)(undefined);
    read(19)(undefined);
    expect(cache.state('ns', '21')).toEqual(OPEN);
  });

  it('is not known from a live read of what the cache does not hold yet', () => {
    const { cache, read, held } = fixture();
    held.set('ns', 5);
    read(20)(15);
    expect(cache.state('ns', '20')).toBeUndefined();
    held.set('ns', 15); // and the watch has reached no more than that
    expect(cache.state('ns')).toEqual(rules(15));
    expect(cache.state('ns', '20')).toBeUndefined();
    read(20)(15);
    expect(cache.state('ns', '20')).toEqual(rules(15));
  });

  it('does not outlive the policy that was read', () => {
    const { cache, read, held } = fixture();
    read(20)(undefined);
    held.set('ns', 15);
    expect(cache.state('ns', '20')).toBeUndefined();
  });

  it('is not known where revisions are no numbers', () => {
    const { cache, status, read } = fixture();
    expect(cache.state('ns', 'odd')).toBeUndefined();
    status.revision = 'odd';
    expect(cache.state('ns', '1')).toBeUndefined();
    read()(undefined);
    expect(cache.state('ns')).toEqual(OPEN);
  });

  it('is remembered for so many namespaces and no more', () => {
    const { cache, read } = fixture();
    for (let index = 0; index < 1_500; index++) read(20, `n${index}`)(undefined);
    expect(cache.state('n1499', '20')).toEqual(OPEN);
    expect(cache.state('n0', '20')).toBeUndefined();
  });

  it('is not remembered where the watch has reached it, so that others are', () => {
    const { cache, read } = fixture();
    read(20, 'behind')(undefined);
    for (let index = 0; index < 1_500; index++) read(10, `n${index}`)(undefined);
    expect(cache.state('behind', '20')).toEqual(OPEN);
  });
});
