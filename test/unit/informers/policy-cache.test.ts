import { describe, expect, it } from 'vitest';
import type { PolicyState } from '../../../src/access/policy.ts';
import { createPolicyCache } from '../../../src/informers/policy-cache.ts';

const OPEN: PolicyState = { state: 'absent' };
const rules = (group: string): PolicyState => ({
  state: 'rules',
  rules: { allowedGroups: [group], allowedUsers: [] },
});

function ground() {
  const held = new Map<string, PolicyState>();
  const status = { synced: true, revision: '1', silenceMs: 0, lacksRight: false };
  const objects = {
    get: (namespace: string, name: string) => {
      const state = name === 'service-policy' ? held.get(namespace) : undefined;
      return state && { namespace, state };
    },
    byIndex: () => [],
    indexKeys: () => [],
    values: () => [],
    size: 0,
  };
  const cache = createPolicyCache({
    reflectorOf: (namespace) => (namespace === 'outside' ? undefined : { objects, status: () => status }),
    policyName: 'service-policy',
    maxSilenceMs: 90_000,
  });
  return { held, status, cache };
}

describe('the policy cache', () => {
  it('knows rules, invalid policies and absence', () => {
    const { held, cache } = ground();
    expect(cache.state('ns')).toEqual(OPEN);
    held.set('ns', rules('a'));
    expect(cache.state('ns')).toEqual(rules('a'));
    held.set('ns', { state: 'invalid', key: 'allowedUsers' });
    expect(cache.state('ns')).toEqual({ state: 'invalid', key: 'allowedUsers' });
  });

  it.each([
    ['before it has held a whole list', { synced: false }],
    ['while a right is missing', { lacksRight: true }],
    ['when its watch has been silent for too long', { silenceMs: 90_001 }],
  ])('does not vouch for anything %s', (_when, change) => {
    const { status, cache } = ground();
    Object.assign(status, change);
    expect(cache.state('ns')).toBeUndefined();
  });

  it('does not vouch for namespaces that it does not follow', () => {
    expect(ground().cache.state('outside')).toBeUndefined();
  });

  it('does not vouch for what contradicts the last live read, until it says the same', () => {
    const { held, cache } = ground();
    cache.sawLive('ns', rules('new'));
    expect(cache.state('ns')).toBeUndefined();
    expect(cache.state('other')).toEqual(OPEN);
    held.set('ns', rules('new'));
    expect(cache.state('ns')).toEqual(rules('new'));
    held.set('ns', rules('newer'));
    expect(cache.state('ns')).toEqual(rules('newer'));
  });

  it('believes the next live read when it was ahead of the one before', () => {
    const { held, cache } = ground();
    held.set('ns', rules('ahead'));
    cache.sawLive('ns', rules('overtaken'));
    expect(cache.state('ns')).toBeUndefined();
    cache.sawLive('ns', rules('ahead'));
    expect(cache.state('ns')).toEqual(rules('ahead'));
  });
});
