import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { actor, admin } from './users.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { open, deadline, failure } from './authorizer-fixture.ts';

const SOME_LIST = { live: false, newest: '1' };

const NONE = { allowedGroups: [], allowedUsers: [] };

const MINE = { allowedGroups: ['team-a'], allowedUsers: [] };

const OTHERS = { allowedGroups: ['team-b'], allowedUsers: [] };

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
    await authorizer.accessTo(admin(), inScope('team-a'), OTHERS).require('read', deadline);
    await authorizer.accessTo(admin(), inScope('team-a'), NONE).require('read', deadline);
    expect(cluster.calls).toEqual([]);
  });

  it('is decided by own rules without reading the policy', async () => {
    const { cluster, authorizer } = open();
    await authorizer.accessTo(actor(), inScope('team-a'), MINE).require('read', deadline);
    expect(
      await failure(authorizer.accessTo(actor(), inScope('team-a'), OTHERS).require('read', deadline)),
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
    expect(
      await failure(authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline)),
    ).toMatchObject({
      code: 'forbidden',
      reason: 'deniedByNamespacePolicy',
    });
    cluster.setPolicy('team-a', { allowedGroups: '["team-a"]' });
    await authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline);
    expect(cluster.calls).toEqual([
      { method: 'policies.read', namespace: 'team-a' },
      { method: 'policies.read', namespace: 'team-a' },
    ]);
  });

  it('is open when the cluster confirms that there is no policy', async () => {
    await expect(
      open().authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline),
    ).resolves.toEqual(actor());
  });

  it.each(['unavailable', 'rbacForbidden', 'uncertain', 'expired', 'responseTooLarge', 'notFound'] as const)(
    'is refused with 503 when reading the policy fails with %s',
    async (code) => {
      const { cluster, authorizer } = open();
      cluster.fail({ method: 'policies.read' }, code);
      expect(
        await failure(authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline)),
      ).toEqual({
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
      authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline),
      authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline),
    ]) {
      await expect(work).rejects.toMatchObject({ code: 'policyUnavailable', retryAfterSeconds: 7 });
    }
  });

  it('is refused with 503 when the policy is invalid', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedUsers: '["planted-4711"' });
    expect(
      await failure(authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline)),
    ).toEqual({
      code: 'policyUnavailable',
      message: UNAVAILABLE,
      reason: 'policyInvalid',
    });
  });

  it('does not take a defect for an unavailable policy', async () => {
    const { cluster, authorizer } = open();
    cluster.fail({ method: 'policies.read' }, new TypeError('a defect'));
    await expect(
      authorizer.accessTo(actor(), inScope('team-a'), NONE).require('read', deadline),
    ).rejects.toThrow(TypeError);
  });
});

describe('a level', () => {
  const READERS = { ...NONE, readerGroups: ['team-a'] };
  const WRITERS = { ...NONE, writerUsers: ['DEV@example.com'] };

  it('that is certain is given without the policy, which is not even read', async () => {
    const { cluster, authorizer } = open();
    cluster.fail({ method: 'policies.read' }, 'unavailable');
    await authorizer.accessTo(actor(), inScope('team-a'), READERS).require('read', deadline);
    await authorizer.accessTo(actor(), inScope('team-a'), WRITERS).require('write', deadline);
    expect(cluster.calls).toEqual([]);
  });

  it('that the policy might give is 503 while it cannot be used', async () => {
    const { cluster, authorizer } = open();
    cluster.fail({ method: 'policies.read', times: 2 }, 'unavailable');
    for (const [own, level] of [
      [READERS, 'write'],
      [WRITERS, 'manage'],
    ] as const) {
      const access = authorizer.accessTo(actor(), inScope('team-a'), own);
      expect(await failure(access.require(level, deadline))).toMatchObject({ code: 'policyUnavailable' });
    }
  });

  it('that no rule gives is 403, which names it', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
    const access = authorizer.accessTo(actor(), inScope('team-a'), READERS);
    await access.require('read', deadline);
    for (const level of ['write', 'manage'] as const) {
      expect(await failure(access.require(level, deadline))).toMatchObject({
        code: 'forbidden',
        message: `You do not have ${level} access to this`,
      });
    }
    const strangers = { ...OTHERS, readerGroups: ['team-b'] };
    expect(
      await failure(authorizer.accessTo(actor(), inScope('team-a'), strangers).require('read', deadline)),
    ).toMatchObject({ message: 'You do not have read access to this', reason: 'deniedByAccessRules' });
  });

  it('is decided by one read of the policy, however many levels are required and explained', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedGroups: '["team-a"]' });
    const access = authorizer.accessTo(actor(), inScope('team-a'), NONE);
    await access.require('read', deadline);
    cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
    await access.require('manage', deadline);
    expect((await access.explain(deadline)).level).toBe('manage');
    expect(cluster.calls).toHaveLength(1);
  });

  it('is explained as far as it is certain, where the policy cannot be used', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { readerGroups: '["team-a"]' });
    expect(await authorizer.accessTo(actor(), inScope('team-a'), READERS).explain(deadline)).toEqual({
      level: 'read',
      by: 'secret',
      namespaceRules: { state: 'unusable' },
    });
    expect(
      await failure(authorizer.accessWithin(actor(), inScope('team-a')).explain(deadline)),
    ).toMatchObject({ code: 'policyUnavailable' });
  });
});

describe('creating', () => {
  it('is gated by namespace rules', async () => {
    const { cluster, authorizer } = open();
    cluster.setPolicy('team-a', { allowedUsers: '["DEV@example.com"]' });
    await authorizer.accessWithin(actor({ groups: [] }), inScope('team-a')).require('write', deadline);
    expect(
      await failure(
        authorizer
          .accessWithin(actor({ email: 'x@x', groups: [] }), inScope('team-a'))
          .require('write', deadline),
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

  it('has one key for the same person and policy, and another wherever a decision could differ', async () => {
    const { cluster, authorizer } = open();
    const keyFor = async (who: ReturnType<typeof actor>) =>
      (await authorizer.forList(who, inScope('team-a'), SOME_LIST, deadline)).key;
    const people = [
      actor(),
      actor({ groups: ['team-b'] }),
      actor({ groups: [] }),
      actor({ email: 'other@example.com' }),
      admin(),
    ];
    const keys = await Promise.all(people.map(keyFor));
    expect(new Set(keys).size).toBe(people.length);
    expect(await keyFor(actor())).toBe(keys[0]);
    cluster.setPolicy('team-a', { allowedGroups: '["empty-group"]' });
    expect(await keyFor(actor())).not.toBe(keys[0]);
  });

  it('shows what readers of the Secret or of the namespace may read; its writers may create', async () => {
    const { cluster, authorizer } = open();
    const forPolicy = async (lists: Record<string, string>) => {
      cluster.setPolicy('team-a', { allowedGroups: '["team-b"]', ...lists });
      return authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline);
    };
    const own = { ...OTHERS, readerUsers: ['dev@example.com'] };
    const others = { ...NONE, readerGroups: ['team-b'] };
    const readers = await forPolicy({ readerGroups: '["team-a"]' });
    expect([
      readers.canCreate,
      ...[NONE, own, others, OTHERS].map((rules) => readers.isVisible(rules)),
    ]).toEqual([false, true, true, false, false]);
    const writers = await forPolicy({ writerGroups: '["team-a"]' });
    expect([
      writers.canCreate,
      ...[NONE, own, others, OTHERS].map((rules) => writers.isVisible(rules)),
    ]).toEqual([true, true, true, false, false]);
    expect(writers.key).not.toBe(readers.key);
  });

  it('reads the policy once, however many Secrets are requested', async () => {
    const { cluster, authorizer } = open();
    const access = await authorizer.forList(actor(), inScope('team-a'), SOME_LIST, deadline);
    for (let index = 0; index < 10; index++) access.isVisible(NONE);
    expect(cluster.calls).toHaveLength(1);
  });
});
