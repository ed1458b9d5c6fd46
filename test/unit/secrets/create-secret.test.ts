import { describe, expect, it } from 'vitest';
import { RULE_LISTS } from '../../../src/contract/access-rules.ts';
import type { ErrorCode } from '../../../src/errors/service-error.ts';
import type { CreateRequest } from '../../../src/secrets/input.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, callLines } from '../history/live-secret.ts';
import { createFixture, textData } from './fixture.ts';
import { inScope } from '../../fakes/in-scope.ts';

describe('creating a Secret', () => {
  it('is a read of the policy and one write, for an admin the write alone', async () => {
    const { cluster, create } = createFixture();
    await create();
    await create({ name: 'other' }, admin());
    expect(callLines(cluster)).toEqual(['policies.read', 'create db', 'create other']);
  });

  it('stores what was sent, with the annotations of version 1 and no labels', async () => {
    const { create, live } = createFixture();
    await create({
      type: 'kubernetes.io/basic-auth',
      data: textData({ username: 'u', password: 'old' }),
      stringData: textData({ password: 'new' }),
      description: 'why',
      allowedGroups: [' team-a ', 'B'],
      allowedUsers: ['U@x'],
    });
    expect(live()).toMatchObject({ type: 'kubernetes.io/basic-auth', immutable: false, finalizers: [] });
    expect(live().labels.size).toBe(0);
    expect(Object.fromEntries(live().annotations)).toEqual({
      'service.io/managed-by': 'service',
      'service.io/version': '1',
      'service.io/description': 'why',
      'service.io/allowed-groups': 'team-a,B',
      'service.io/allowed-users': 'U@x',
      'service.io/last-modified-by': 'dev@example.com',
      'service.io/last-modified-at': '2026-03-04T05:06:07.089Z',
    });
    expect([...live().data].map(([key, value]) => [key, Buffer.from(value).toString()])).toEqual([
      ['username', 'u'],
      ['password', 'new'],
    ]);
  });

  it('answers a summary of version 1 without values', async () => {
    const { create, live } = createFixture();
    const { summary } = await create({ data: textData({ a: 'planted-4711' }) });
    expect(summary).toMatchObject({
      name: 'db',
      namespace: 'team-a',
      type: 'Opaque',
      version: 1,
      resourceVersion: live().resourceVersion,
      managedByService: true,
      keys: ['a'],
      keyCount: 1,
      binaryKeys: [],
      description: '',
      lastModifiedBy: 'dev@example.com',
    });
    expect(JSON.stringify(summary)).not.toContain('planted-4711');
  });

  it('stores empty annotations for empty access rules', async () => {
    const { create, live } = createFixture();
    await create();
    expect(live().annotations.get('service.io/allowed-groups')).toBe('');
    expect(live().annotations.get('service.io/allowed-users')).toBe('');
  });

  it('keeps keys that are properties of every object', async () => {
    const { create, live } = createFixture();
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    await create({ data: new Map(keys.map((key) => [key, key])) });
    expect([...live().data.keys()]).toEqual(keys);
  });

  const REFUSED: readonly (readonly [what: string, request: Partial<CreateRequest>, code: ErrorCode])[] = [
    ['a bad name', { name: 'A' }, 'invalidRequest'],
    ['a bad key', { data: textData({ 'a b': '' }) }, 'invalidRequest'],
    ['a binary control', { stringData: textData({ a: '\0' }) }, 'invalidRequest'],
    ['a lone surrogate', { data: textData({ a: '\ud800' }) }, 'invalidRequest'],
    ['a blank group', { allowedGroups: [' '] }, 'invalidRequest'],
    ['a comma in a user', { allowedUsers: ['a,b'] }, 'invalidRequest'],
    ['257 groups', { allowedGroups: Array<string>(257).fill('a') }, 'invalidRequest'],
    ['a value over 1 MiB', { data: textData({ a: 'x'.repeat(1_048_577) }) }, 'tooLarge'],
    [
      'values of 1 MiB in characters and more in bytes',
      { data: textData({ a: 'é'.repeat(524_289) }) },
      'tooLarge',
    ],
    [
      'lists of access that do not fit into the annotations',
      Object.fromEntries(RULE_LISTS.map((list) => [list, Array<string>(256).fill('g'.repeat(256))])),
      'tooLarge',
    ],
    ['a description over 4 KiB', { description: 'x'.repeat(4_097) }, 'invalidRequest'],
    ['a service account token', { type: 'kubernetes.io/service-account-token' }, 'invalidSecret'],
    ['a service account token, neutrally', { type: 'platform.io/service-account-token' }, 'invalidSecret'],
    ['a type whose data is missing', { type: 'kubernetes.io/tls' }, 'invalidSecret'],
    ['a type whose data is missing, neutrally', { type: 'platform.io/tls' }, 'invalidSecret'],
  ];

  it.each(REFUSED)('with %s is refused before the write', async (_what, request, code) => {
    const { cluster, create } = createFixture();
    expect(await codeOf(create(request, admin()))).toBe(code);
    expect(cluster.calls).toEqual([]);
    expect(cluster.all()).toEqual([]);
  });

  it('measures data after the merge', async () => {
    const { create, live } = createFixture();
    const mib = 'x'.repeat(1_048_576);
    await create({ data: textData({ a: mib }), stringData: textData({ a: 'small' }) });
    expect(live().data.get('a')?.byteLength).toBe(5);
    const both = { name: 'both', data: textData({ a: mib }), stringData: textData({ b: 'x' }) };
    expect(await codeOf(create(both))).toBe('tooLarge');
  });

  it('allows exactly 1 MiB of values', async () => {
    const { create, live } = createFixture();
    await create({ data: textData({ a: '"'.repeat(1_048_576) }) });
    expect(live().data.get('a')?.byteLength).toBe(1_048_576);
  });

  it('is refused for a type that no snapshot could record', async () => {
    const { cluster, create } = createFixture();
    await expect(create({ type: 't'.repeat(245_761) })).rejects.toMatchObject({
      code: 'tooLarge',
      reason: 'typeBudget',
    });
    expect(cluster.all()).toEqual([]);
  });

  it('looks at type rules after the merge', async () => {
    const { create } = createFixture();
    const split = { 'tls.crt': '', 'tls.key': '' };
    const { 'tls.crt': crt, 'tls.key': key } = split;
    const request = {
      type: 'kubernetes.io/tls',
      data: textData({ 'tls.crt': crt }),
      stringData: textData({ 'tls.key': key }),
    };
    expect((await create(request)).summary.type).toBe('kubernetes.io/tls');
  });

  it('lets no one who may not create here learn anything about the body', async () => {
    const { cluster, service } = createFixture();
    cluster.setPolicy('team-a', { allowedGroups: '["no-one"]' });
    let looked = false;
    const request = () => {
      looked = true;
      throw new Error('the body was looked at');
    };
    expect(
      await codeOf(service.create({ actor: actor(), namespace: inScope('team-a'), request }, deadline)),
    ).toBe('forbidden');
    expect(looked).toBe(false);
  });

  it('is refused when the policy is not usable, except to admins', async () => {
    const { cluster, create } = createFixture();
    cluster.setPolicy('team-a', { allowedUsers: 'null' });
    expect(await codeOf(create())).toBe('policyUnavailable');
    expect(cluster.all()).toEqual([]);
    expect((await create({}, admin())).summary.version).toBe(1);
  });

  it('is gated by namespace rules, whatever rules the new Secret brings along', async () => {
    const { cluster, create } = createFixture();
    cluster.setPolicy('team-a', { allowedGroups: '["no-one"]' });
    expect(await codeOf(create({ allowedGroups: ['team-a'] }))).toBe('forbidden');
    expect(cluster.all()).toEqual([]);
  });

  it('of a name that exists is refused and changes nothing', async () => {
    const { create, live } = createFixture();
    await create({ data: textData({ a: '1' }) });
    const before = live();
    await expect(create({ data: textData({ a: '2' }) })).rejects.toMatchObject({
      code: 'exists',
      message: 'A Secret with this name exists already',
    });
    expect(live()).toEqual(before);
  });

  it('in a namespace that does not exist is not found', async () => {
    const { service, cluster } = createFixture();
    const request = { name: 'a', type: undefined, data: undefined, stringData: undefined } as const;
    const rest = { description: undefined, allowedGroups: undefined, allowedUsers: undefined };
    const work = service.create(
      { actor: admin(), namespace: inScope('absent'), request: () => ({ ...request, ...rest }) },
      deadline,
    );
    await expect(work).rejects.toMatchObject({ code: 'notFound', message: 'Namespace not found' });
    expect(cluster.all()).toEqual([]);
  });

  it.each(['unavailable', 'uncertain', 'rejected', 'rbacForbidden', 'tooLarge'] as const)(
    'passes on that the cluster failed with %s',
    async (code) => {
      const { cluster, create } = createFixture();
      cluster.fail({ method: 'secrets.create' }, code);
      expect(await codeOf(create())).toBe(code);
      expect((await create()).summary.version).toBe(1);
    },
  );

  it('that happened without an answer is uncertain, and exists when repeated', async () => {
    const { cluster, create, live } = createFixture();
    cluster.fail({ method: 'secrets.create', when: 'after' }, 'uncertain');
    expect(await codeOf(create())).toBe('uncertain');
    expect(await codeOf(create())).toBe('exists');
    expect(live().annotations.get('service.io/version')).toBe('1');
  });
});
