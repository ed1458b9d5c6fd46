import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import type { ObservedPolicy, PolicyCache, PolicyState } from '../../../src/access/policy.ts';
import { CachedPolicies } from '../../../src/caches/policy-cache.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { WHOLE_CLUSTER } from '../../fakes/scopes.ts';
import { callLines } from '../history/live-secret.ts';
import { actor } from './users.ts';
import { inScope } from '../../fakes/in-scope.ts';

const OPEN: PolicyState = { state: 'absent' };
const NONE = { allowedGroups: [], allowedUsers: [] };

/** A cluster whose policy is closed, and a memory that still holds the open one, as of revision 10. */
function fixture() {
  const cluster = createFakeCluster();
  cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
  const requested: (string | undefined)[] = [];
  const seen: { namespace: string; observed: ObservedPolicy }[] = [];
  let sequence = 0;
  const policyCache: PolicyCache = {
    state: (_namespace, reached) => {
      requested.push(reached);
      return reached === undefined || Number(reached) <= 10 ? OPEN : undefined;
    },
    startRead: () => ({ sequence: sequence++ }),
    noteRead: (namespace, observed) => void seen.push({ namespace, observed }),
  };
  const { policies, namespaces } = cluster;
  const authorizer = createAuthorizer({ policies, namespaces, policyCache, scope: WHOLE_CLUSTER });
  const list = (live: boolean, newest: string | undefined) =>
    authorizer.forList(actor(), inScope('team-a'), { live, newest }, unhurriedCall());
  return { cluster, authorizer, list, requested, seen, pass: () => sequence++ };
}

describe('a list with a memory of policies', () => {
  it('takes the policy from memory where that is as new as the newest Secret', async () => {
    const { cluster, list, requested } = fixture();
    expect((await list(false, '10')).canCreate).toBe(true);
    expect(requested).toEqual(['10']);
    expect(callLines(cluster)).toEqual([]);
  });

  it('reads the policy live where the one in memory may be older than the newest Secret', async () => {
    const { cluster, list } = fixture();
    const access = await list(false, '11');
    expect(access.canCreate).toBe(false);
    expect(access.isVisible(NONE)).toBe(false);
    expect(callLines(cluster)).toEqual(['policies.read']);
  });

  it('that was requested live reads its policy live', async () => {
    const { cluster, list, requested } = fixture();
    expect((await list(true, '10')).canCreate).toBe(false);
    expect(requested).toEqual([]);
    expect(callLines(cluster)).toEqual(['policies.read']);
  });

  it('hands memory what was read live, since when, and what the cluster had reached', async () => {
    const { cluster, list, seen, pass } = fixture();
    cluster.on({ method: 'policies.read' }, () => void pass());
    await list(true, '11');
    expect(seen).toMatchObject([
      {
        namespace: 'team-a',
        observed: {
          state: { state: 'rules' },
          resourceVersion: '1001',
          since: { sequence: 0 },
          reached: '11',
        },
      },
    ]);
  });
});

describe('lists of more namespaces than have their policies read one by one', () => {
  const namespaces = Array.from({ length: 65 }, (_, index) => `team-${index}`);
  const newer = namespaces.map((namespace) => ({ namespace, newest: '11' }));

  /** A memory without policies, whose watch has reached revision 10. */
  function openAll() {
    const cluster = createFakeCluster({ namespaces });
    const status = () => ({ synced: true, revision: '10', silenceMs: 0, isForbidden: false });
    const reflectorOf = () => ({ objects: { get: () => undefined }, status });
    const policyCache = new CachedPolicies({ reflectorOf, policyName: 'service-policy', maxSilenceMs: 1 });
    const authorizer = createAuthorizer({ ...cluster, policyCache, scope: WHOLE_CLUSTER });
    return { cluster, authorizer };
  }

  it('read them once for the same revisions', async () => {
    const { cluster, authorizer } = openAll();
    expect((await authorizer.forLists(actor(), newer, unhurriedCall()))?.size).toBe(65);
    expect((await authorizer.forLists(actor(), newer, unhurriedCall()))?.size).toBe(65);
    expect(callLines(cluster)).toEqual(['policies.readAll']);
  });

  it('have a policy that was read apply immediately to a list of its namespace', async () => {
    const { cluster, authorizer } = openAll();
    cluster.setPolicy('team-1', { allowedGroups: '["no-one"]' });
    await authorizer.forLists(actor(), newer, unhurriedCall());
    const list = { live: false, newest: '10' };
    const closed = await authorizer.forList(actor(), inScope('team-1'), list, unhurriedCall());
    expect(closed.isVisible(NONE)).toBe(false);
    const open = await authorizer.forList(actor(), inScope('team-2'), list, unhurriedCall());
    expect(open.isVisible(NONE)).toBe(true);
    expect(callLines(cluster)).toEqual(['policies.readAll', 'policies.read']);
  });
});

describe('the decision about one Secret', () => {
  it('reads the policy live whatever memory holds, and hands it to memory', async () => {
    const { cluster, authorizer, requested, seen } = fixture();
    await expect(
      authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', unhurriedCall()),
    ).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      authorizer.accessWithin(actor(), inScope('team-a')).require('write', unhurriedCall()),
    ).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(requested).toEqual([]);
    expect(callLines(cluster)).toEqual(['policies.read', 'policies.read']);
    expect(seen).toHaveLength(2);
  });
});
