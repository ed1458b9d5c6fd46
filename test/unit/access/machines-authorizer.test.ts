import { describe, expect, it } from 'vitest';
import { actorFor, type Actor, type MachineToken } from '../../../src/access/actor.ts';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { NO_RULES } from '../../../src/access/decision.ts';
import type { AccessRules } from '../../../src/contract/access-rules.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { deadline, failure } from './authorizer-fixture.ts';
import { binding, machine, OWN, token } from './machines-fixture.ts';

describe('the authorizer of a machine', () => {
  const BINDINGS = [
    binding({ name: 'reader' }),
    binding({ name: 'writer', level: 'write' }),
    binding({ name: 'all', level: 'write', secrets: '*' }),
  ];
  const open = (machines: unknown = BINDINGS) => {
    const cluster = createFakeCluster({ namespaces: ['team-a', 'team-b', 'team-c'] });
    cluster.setPolicy('team-b', { machines: JSON.stringify(machines) });
    const { policies, namespaces } = cluster;
    return { cluster, authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(undefined) }) };
  };

  it('names it by the first binding that gives the level', async () => {
    const access = open().authorizer.accessTo(machine(), inScope('team-b'), NO_RULES, 'database');
    expect((await access.require('read', deadline)).user.email).toBe('machine:team-b/reader');
    expect((await access.require('write', deadline)).user.email).toBe('machine:team-b/writer');
    expect(await failure(access.require('manage', deadline))).toMatchObject({ code: 'forbidden' });
  });

  it('identifies it by the first binding, for the level where one gives it', async () => {
    const { authorizer } = open();
    const nameFor = async (namespace: string | undefined, level: 'read' | 'write' | 'manage') =>
      (await authorizer.identifyMachine(token(), { namespace, level }, deadline)).user;
    expect((await nameFor(undefined, 'manage')).email).toBe('machine:team-b/reader');
    expect((await nameFor(undefined, 'read')).email).toBe('machine:team-b/reader');
    expect((await nameFor('team-b', 'write')).email).toBe('machine:team-b/all');
    expect(await nameFor('team-b', 'manage')).toEqual({
      sub: 'machine:team-b/reader',
      email: 'machine:team-b/reader',
      name: 'machine:team-b/reader',
      groups: [],
    });
  });

  it('refuses it where it has no binding, and where all of them were ended', async () => {
    const { authorizer } = open();
    const identify = (given: MachineToken, namespace: string | undefined) =>
      failure(authorizer.identifyMachine(given, { namespace, level: 'read' }, deadline));
    expect(await identify(token(), 'team-a')).toMatchObject({ code: 'forbidden', reason: 'noBinding' });
    expect(await identify(token({ project_id: '8' }), undefined)).toMatchObject({ code: 'forbidden' });
    const ended = ['reader', 'writer', 'all'].map((name) => `machine:team-b/${name}`);
    expect(await identify(token({}, ended), 'team-b')).toMatchObject({
      code: 'unauthenticated',
      reason: 'ended',
    });
    expect(await identify(token({}, ended), undefined)).toMatchObject({ code: 'unauthenticated' });
  });

  it('shows it the namespaces in which it has a binding', async () => {
    const { authorizer } = open();
    expect(await authorizer.namespaces(machine(), deadline)).toEqual([{ name: 'team-b', canCreate: true }]);
    expect(await open([binding()]).authorizer.namespaces(machine(), deadline)).toEqual([
      { name: 'team-b', canCreate: false },
    ]);
  });

  it('shows it what is bound, in lists and across namespaces', async () => {
    const { authorizer } = open();
    const list = { live: true, newest: undefined };
    const access = await authorizer.forList(machine(), inScope('team-b'), list, deadline);
    const visible = (own: AccessRules, name: string) => access.isVisible(own, name);
    expect([
      access.canCreate,
      visible(OWN, 'database'),
      visible(OWN, 'other'),
      visible(NO_RULES, 'other'),
    ]).toEqual([true, true, false, true]);
    expect(await failure(authorizer.forList(machine(), inScope('team-a'), list, deadline))).toMatchObject({
      code: 'forbidden',
      reason: 'noBinding',
    });
    const explained = authorizer.accessWithin(machine(), inScope('team-a')).explain(deadline);
    expect(await failure(explained)).toMatchObject({ code: 'forbidden', reason: 'noBinding' });
    const lists = ['team-a', 'team-b'].map((namespace) => ({ namespace, newest: undefined }));
    const accesses = await authorizer.forLists(machine(), lists, deadline);
    expect([...(accesses?.keys() ?? [])]).toEqual(['team-b']);
  });

  const admin = actorFor(
    { sub: 'a', email: 'admin@example.com', name: 'A', groups: [] },
    { users: ['admin@example.com'], groups: [] },
  );

  it('says to whoever may know the rules which machines are bound, and when this replica last saw them', async () => {
    const { authorizer } = open();
    const explain = async (user: Actor, name?: string) => {
      const access = authorizer.accessTo(user, inScope('team-b'), name === 'database' ? OWN : NO_RULES, name);
      return (await access.explain(deadline)).machines?.map((one) => [one.name, one.level, one.lastSeenAt]);
    };
    expect(await explain(admin, 'database')).toEqual([
      ['reader', 'read', undefined],
      ['writer', 'write', undefined],
    ]);
    expect(await explain(admin, 'absent')).toEqual([['all', 'write', undefined]]);
    await authorizer.accessTo(machine(), inScope('team-b'), OWN, 'database').require('read', deadline);
    expect(await explain(admin)).toEqual([
      ['reader', 'read', expect.stringMatching(/^\d{4}-.*Z$/)],
      ['writer', 'write', undefined],
      ['all', 'write', undefined],
    ]);
    expect(await explain(machine(), 'database')).toBeUndefined();
  });

  it('decides for lists by a key that has its bindings', async () => {
    const keyOf = async (machines: unknown): Promise<string> => {
      const { authorizer } = open(machines);
      return (
        await authorizer.forList(machine(), inScope('team-b'), { live: true, newest: undefined }, deadline)
      ).key;
    };
    expect(await keyOf(BINDINGS)).toBe(await keyOf(BINDINGS));
    expect(await keyOf(BINDINGS)).not.toBe(await keyOf([binding({ name: 'reader' })]));
  });

  it('answers 503 where its bindings are malformed', async () => {
    const { authorizer } = open('no bindings');
    const access = authorizer.accessTo(machine(), inScope('team-b'), NO_RULES, 'database');
    const wanted = { namespace: 'team-b', level: 'read' } as const;
    for (const work of [
      access.require('read', deadline),
      authorizer.identifyMachine(token(), wanted, deadline),
    ]) {
      expect(await failure(work)).toMatchObject({ code: 'policyUnavailable', reason: 'machinesMalformed' });
    }
  });
});
