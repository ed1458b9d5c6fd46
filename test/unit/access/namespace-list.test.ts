import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import type { PolicyCache } from '../../../src/access/policy.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor, admin } from './users.ts';
import { open, deadline, failure } from './authorizer-fixture.ts';

describe('the namespaces', () => {
  /** More than are read one by one. */
  const MANY = Array.from({ length: 20 }, (_, index) => `x-${index}`);
  const all = ['zoo', 'kube-system', 'kube-public', 'team-b', 'kube-node-lease', 'default', 'team-a'];

  it('are ordered by name, without those of the system', async () => {
    const { authorizer } = open({ namespaces: all });
    const namespaces = await authorizer.namespaces(actor(), deadline);
    expect(namespaces.map(({ name }) => name)).toEqual(['default', 'team-a', 'team-b', 'zoo']);
  });

  it('are those of the scope, those of the system among them when it names them, and need no cluster-wide rights', async () => {
    const { cluster, authorizer } = open({ namespaces: all, scope: ['team-b', 'kube-system'] });
    const namespaces = await authorizer.namespaces(actor(), deadline);
    expect(namespaces).toEqual([
      { name: 'kube-system', canCreate: true },
      { name: 'team-b', canCreate: true },
    ]);
    expect(new Set(cluster.calls.map(({ method }) => method))).toEqual(new Set(['policies.read']));
  });

  it('are all creatable for an admin, without reading a policy', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedGroups: '["no-one"]' });
    expect((await authorizer.namespaces(admin(), deadline)).every(({ canCreate }) => canCreate)).toBe(true);
    expect(cluster.calls.map(({ method }) => method)).toEqual(['namespaces.names']);
  });

  it('say where the user may create, each by its own policy, with one request for all', async () => {
    const { cluster, authorizer } = open({ namespaces: ['absent', 'invalid', 'mine', 'theirs', ...MANY] });
    cluster.setPolicy('mine', { allowedGroups: '["team-a"]' });
    cluster.setPolicy('theirs', { allowedGroups: '["team-b"]' });
    cluster.setPolicy('invalid', { allowedGroups: '{' });
    const listed = await authorizer.namespaces(actor(), deadline);
    expect(listed.filter(({ name }) => !MANY.includes(name))).toEqual([
      { name: 'absent', canCreate: true },
      { name: 'invalid', canCreate: false },
      { name: 'mine', canCreate: true },
      { name: 'theirs', canCreate: false },
    ]);
    expect(cluster.calls.map(({ method }) => method)).toEqual(['namespaces.names', 'policies.readAll']);
  });

  it('come from memory while it vouches for them, otherwise from the cluster', async () => {
    const cluster = createFakeCluster();
    const known: { names: readonly string[] | undefined } = { names: ['b', 'kube-system', 'a'] };
    const namespaceCache = { names: () => known.names };
    const { policies, namespaces } = cluster;
    const authorizer = createAuthorizer({ policies, namespaces, namespaceCache, scope: scopeOf() });
    const names = async () => (await authorizer.namespaces(admin(), deadline)).map(({ name }) => name);
    expect(await names()).toEqual(['a', 'b']);
    expect(cluster.calls).toEqual([]);
    known.names = undefined;
    await names();
    expect(cluster.calls.map(({ method }) => method)).toEqual(['namespaces.names']);
  });

  it('read the few policies alone that memory does not vouch for', async () => {
    const cluster = createFakeCluster();
    cluster.setPolicy('n-20', { allowedGroups: '["team-a"]' });
    const names = Array.from({ length: 40 }, (_, index) => `n-${index}`);
    const policyCache: PolicyCache = {
      state: (name) => (name === 'n-20' || name === 'n-21' ? undefined : { state: 'absent' }),
      startRead: () => ({ sequence: 0 }),
      noteRead: () => undefined,
    };
    const { policies, namespaces } = cluster;
    const namespaceCache = { names: () => names };
    const authorizer = createAuthorizer({
      policies,
      namespaces,
      namespaceCache,
      policyCache,
      scope: scopeOf(),
    });
    cluster.fail({ method: 'policies.read' }, 'unavailable');
    const listed = await authorizer.namespaces(actor(), deadline);
    expect(listed.filter(({ canCreate }) => !canCreate)).toHaveLength(1);
    expect(cluster.calls.map(({ method }) => method)).toEqual(['policies.read', 'policies.read']);
  });

  it('are shown as not creatable when the policies cannot be read', async () => {
    const { cluster, authorizer } = open({ namespaces: MANY });
    cluster.fail({ method: 'policies.readAll' }, 'unavailable');
    const creatable = (await authorizer.namespaces(actor(), deadline)).filter(({ canCreate }) => canCreate);
    expect(creatable).toEqual([]);
  });

  it('of a scope are shown as not creatable where the policy cannot be read', async () => {
    const { cluster, authorizer } = open({ scope: ['team-a', 'team-b'] });
    cluster.fail({ method: 'policies.read' }, 'rbacForbidden');
    expect(await authorizer.namespaces(actor(), deadline)).toEqual([
      { name: 'team-a', canCreate: false },
      { name: 'team-b', canCreate: true },
    ]);
  });

  it('of a large scope are all answered, a few policies at a time', async () => {
    const scope = Array.from({ length: 40 }, (_item, index) => `n${String(index).padStart(2, '0')}`);
    const { cluster, authorizer } = open({ namespaces: scope, scope });
    let reading = 0;
    let most = 0;
    cluster.on({ method: 'policies.read', times: 40 }, async () => {
      most = Math.max(most, ++reading);
      await Promise.resolve();
      reading -= 1;
    });
    expect((await authorizer.namespaces(actor(), deadline)).map(({ name }) => name)).toEqual(scope);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('fail when the cluster does not name them', async () => {
    const { cluster, authorizer } = open();
    cluster.fail({ method: 'namespaces.names' }, 'rbacForbidden');
    expect(await failure(authorizer.namespaces(actor(), deadline))).toMatchObject({ code: 'rbacForbidden' });
  });

  it('fail with a defect rather than hide it', async () => {
    const { cluster, authorizer } = open({ namespaces: MANY });
    cluster.fail({ method: 'policies.readAll' }, new TypeError('a defect'));
    await expect(authorizer.namespaces(actor(), deadline)).rejects.toThrow(TypeError);
  });
});
