import { describe, expect, it } from 'vitest';
import { createAuthorizer, type Authorizer } from '../../../src/access/authorizer.ts';
import type { PolicyCache } from '../../../src/access/policy.ts';
import { isServiceError, ServiceError, type ErrorCode } from '../../../src/errors/service-error.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createFakeCluster, type FakeCluster } from '../../fakes/fake-cluster.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor, admin } from './users.ts';
import { inScope } from '../../fakes/in-scope.ts';

const deadline = unhurriedCall();
const SOME_LIST = { live: false, newest: '1' };
const NONE = { allowedGroups: [], allowedUsers: [] };
const MINE = { allowedGroups: ['team-a'], allowedUsers: [] };
const OTHERS = { allowedGroups: ['team-b'], allowedUsers: [] };

function open(options: { scope?: readonly string[]; namespaces?: readonly string[] } = {}): {
  cluster: FakeCluster;
  authorizer: Authorizer;
} {
  const cluster = createFakeCluster({ namespaces: options.namespaces ?? ['team-a', 'team-b'] });
  const { policies, namespaces } = cluster;
  return { cluster, authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(options.scope) }) };
}

async function failure(
  work: Promise<unknown>,
): Promise<{ code: ErrorCode; message: string; reason: unknown }> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isServiceError(thrown)) throw new Error('expected a ServiceError', { cause: thrown });
  return { code: thrown.code, message: thrown.message, reason: thrown.reason };
}

const UNAVAILABLE = 'Namespace access policy is unavailable';

describe('the scope', () => {
  it('of the whole cluster lets every namespace pass but those of the system', () => {
    const { authorizer } = open();
    expect(() => {
      authorizer.requireScope('anything');
    }).not.toThrow();
    expect(() => {
      authorizer.requireScope('kube-system');
    }).toThrow(expect.objectContaining({ code: 'forbidden', reason: 'namespaceOutOfScope' }) as Error);
  });

  it('refuses a namespace outside it', () => {
    const { authorizer } = open({ scope: ['team-a'] });
    expect(() => {
      authorizer.requireScope('team-a');
    }).not.toThrow();
    for (const namespace of ['team-b', 'team-', 'team-a2', '__proto__']) {
      expect(() => {
        authorizer.requireScope(namespace);
      }).toThrow(expect.objectContaining({ code: 'forbidden', reason: 'namespaceOutOfScope' }) as Error);
    }
  });

  it('may be empty of everything', () => {
    expect(() => {
      open({ scope: [] }).authorizer.requireScope('team-a');
    }).toThrow(expect.objectContaining({ code: 'forbidden' }) as Error);
  });
});

describe('access to a Secret', () => {
  it('is granted to an admin without reading the policy', async () => {
    const { cluster, authorizer } = open();
    cluster.fail({ method: 'policies.read' }, 'unavailable');
    await authorizer.requireAccess(admin(), inScope('team-a'), OTHERS, deadline);
    await authorizer.requireAccess(admin(), inScope('team-a'), NONE, deadline);
    expect(cluster.calls).toEqual([]);
  });

  it('is decided by own rules without reading the policy', async () => {
    const { cluster, authorizer } = open();
    await authorizer.requireAccess(actor(), inScope('team-a'), MINE, deadline);
    expect(
      await failure(authorizer.requireAccess(actor(), inScope('team-a'), OTHERS, deadline)),
    ).toMatchObject({
      code: 'forbidden',
      reason: 'deniedByAccessRules',
    });
    expect(cluster.calls).toEqual([]);
  });

  it('is decided by the policy of this namespace, read once and live each time', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
    cluster.setPolicy('team-b', { allowedGroups: '["team-a"]' });
    expect(await failure(authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline))).toMatchObject(
      {
        code: 'forbidden',
        reason: 'deniedByNamespacePolicy',
      },
    );
    cluster.setPolicy('team-a', { allowedGroups: '["team-a"]' });
    await authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline);
    expect(cluster.calls).toEqual([
      { method: 'policies.read', namespace: 'team-a' },
      { method: 'policies.read', namespace: 'team-a' },
    ]);
  });

  it('is open when the cluster confirms that there is no policy', async () => {
    await expect(
      open().authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline),
    ).resolves.toBeUndefined();
  });

  it.each(['unavailable', 'rightMissing', 'uncertain', 'expired', 'responseTooLarge', 'notFound'] as const)(
    'is refused with 503 when reading the policy fails with %s',
    async (code) => {
      const { cluster, authorizer } = open();
      cluster.fail({ method: 'policies.read' }, code);
      expect(await failure(authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline))).toEqual({
        code: 'policyUnavailable',
        message: UNAVAILABLE,
        reason: 'policyUnavailable',
      });
    },
  );

  it('hands on the Retry-After of the cluster', async () => {
    const { cluster, authorizer } = open();
    const overloaded = new ServiceError('unavailable', 'x', { retryAfterSeconds: 7 });
    cluster.fail({ method: 'policies.read', times: 2 }, overloaded);
    for (const work of [
      authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline),
      authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline),
    ]) {
      await expect(work).rejects.toMatchObject({ code: 'policyUnavailable', retryAfterSeconds: 7 });
    }
  });

  it('is refused with 503 when the policy is invalid', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedUsers: '["planted-4711"' });
    expect(await failure(authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline))).toEqual({
      code: 'policyUnavailable',
      message: UNAVAILABLE,
      reason: 'policyInvalid',
    });
  });

  it('does not take a defect for an unavailable policy', async () => {
    const { cluster, authorizer } = open();
    cluster.fail({ method: 'policies.read' }, new TypeError('a defect'));
    await expect(authorizer.requireAccess(actor(), inScope('team-a'), NONE, deadline)).rejects.toThrow(
      TypeError,
    );
  });
});

describe('creating', () => {
  it('is gated by namespace rules', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedUsers: '["DEV@example.com"]' });
    await authorizer.requireCreate(actor({ groups: [] }), inScope('team-a'), deadline);
    expect(
      await failure(
        authorizer.requireCreate(actor({ email: 'x@x', groups: [] }), inScope('team-a'), deadline),
      ),
    ).toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('a list', () => {
  it('fails for everyone but admins when the policy is not usable', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedGroups: 'x' });
    expect(await failure(authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline))).toMatchObject({
      code: 'policyUnavailable',
      message: UNAVAILABLE,
    });
    const access = await authorizer.forList(admin(), inScope('team-a'), SOME_LIST, deadline);
    expect([access.canCreate, access.isVisible(OTHERS), access.isVisible(NONE)]).toEqual([true, true, true]);
  });

  it('shows what own rules allow even where the policy excludes the user', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
    const access = await authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline);
    expect(access.canCreate).toBe(false);
    expect([access.isVisible(MINE), access.isVisible(OTHERS), access.isVisible(NONE)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('reads the policy once, however many Secrets are requested', async () => {
    const { cluster, authorizer } = open();
    const access = await authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline);
    for (let index = 0; index < 10; index++) access.isVisible(NONE);
    expect(cluster.calls).toHaveLength(1);
  });
});

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
      observationStart: () => ({ sequence: 0 }),
      sawLive: () => undefined,
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
    cluster.fail({ method: 'policies.read' }, 'rightMissing');
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
    cluster.fail({ method: 'namespaces.names' }, 'rightMissing');
    expect(await failure(authorizer.namespaces(actor(), deadline))).toMatchObject({ code: 'rightMissing' });
  });

  it('fail with a defect rather than hide it', async () => {
    const { cluster, authorizer } = open({ namespaces: MANY });
    cluster.fail({ method: 'policies.readAll' }, new TypeError('a defect'));
    await expect(authorizer.namespaces(actor(), deadline)).rejects.toThrow(TypeError);
  });
});
