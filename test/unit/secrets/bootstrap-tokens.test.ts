import { describe, expect, it } from 'vitest';
import { requireAdminForBootstrapToken } from '../../../src/secrets/write-checks.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture, stateOf } from './fixture.ts';
import { inScope, refInScope } from '../../fakes/in-scope.ts';

const TYPE = 'bootstrap.kubernetes.io/token';
const TYPES = [TYPE, 'bootstrap.platform.io/token'];
const REF = { namespace: 'kube-system', name: 'bootstrap-token-abcdef' };

describe('the right to write a bootstrap token', () => {
  const isAllowed = (
    who: ReturnType<typeof actor>,
    { namespace, type }: { namespace: string; type: string },
  ) => {
    try {
      requireAdminForBootstrapToken(who, { namespace, type });
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'forbidden', reason: 'bootstrapTokenNeedsAdmin' });
      return false;
    }
  };

  it.each(TYPES)('is an admin’s alone in kube-system, and everyone’s elsewhere: %s', (type) => {
    expect(isAllowed(actor(), { namespace: 'kube-system', type })).toBe(false);
    expect(isAllowed(admin(), { namespace: 'kube-system', type })).toBe(true);
    expect(isAllowed(actor(), { namespace: 'kube-public', type })).toBe(true);
  });

  it.each(['Opaque', `${TYPE}s`, 'example.com/token'])('is not needed for %s', (type) => {
    expect(isAllowed(actor(), { namespace: 'kube-system', type })).toBe(true);
  });
});

describe.each(TYPES)('a Secret of type %s in kube-system', (type) => {
  function fixture() {
    const { cluster, service } = createFixture({ scope: ['kube-system', 'team-a'] });
    cluster.addNamespace('kube-system');
    const live = seedLive(cluster, { ...REF, type });
    seedSnapshot(cluster, live, 2);
    const { resourceVersion } = live;
    const edit = {
      resourceVersion,
      data: undefined,
      description: 'changed',
      allowedGroups: undefined,
      allowedUsers: undefined,
      recoverCounter: false,
    };
    const restore = { resourceVersion, version: 2, sourceResourceVersion: undefined, recoverCounter: false };
    return {
      cluster,
      write: {
        create: (who = actor()) =>
          service.create(
            {
              actor: who,
              namespace: inScope(REF.namespace),
              request: () => ({ ...edit, name: 'bootstrap-token-ghijkl', type, stringData: undefined }),
            },
            deadline,
          ),
        update: async (who = actor()) =>
          service
            .update(await service.authorize(who, refInScope(REF), deadline), edit, deadline)
            .then(() => undefined),
        restore: async (who = actor()) =>
          service
            .restore(await service.authorize(who, refInScope(REF), deadline), restore, deadline)
            .then(() => undefined),
      },
    };
  }

  it.each(['create', 'update', 'restore'] as const)(
    'is refused to others before any write: %s',
    async (way) => {
      const { cluster, write } = fixture();
      const before = stateOf(cluster);
      expect(await codeOf(write[way]())).toBe('forbidden');
      expect(stateOf(cluster)).toEqual(before);
    },
  );

  it.each(['create', 'update', 'restore'] as const)('is an admin’s to write: %s', async (way) => {
    const { cluster, write } = fixture();
    const before = stateOf(cluster);
    await write[way](admin());
    expect(stateOf(cluster)).not.toEqual(before);
  });
});
