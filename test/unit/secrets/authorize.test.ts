import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, callLines, REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture } from './fixture.ts';
import { refInScope } from '../../fakes/in-scope.ts';

const CLOSED = { 'service.io/allowed-groups': 'team-b' };

describe('authorizing a named Secret', () => {
  it('reads it once and, for fallback, the policy once', async () => {
    const { cluster, service } = createFixture();
    seedLive(cluster);
    await service.authorize(actor(), refInScope(REF), deadline);
    expect(callLines(cluster)).toEqual(['read db', 'policies.read']);
  });

  it('reads only the Secret for an admin, and where its own rules decide', async () => {
    const { cluster, service } = createFixture();
    seedLive(cluster, { annotations: { 'service.io/allowed-groups': 'team-a' } });
    await service.authorize(actor(), refInScope(REF), deadline);
    await service.authorize(admin(), refInScope(REF), deadline);
    expect(callLines(cluster)).toEqual(['read db', 'read db']);
  });

  it('answers the same for what is absent, a snapshot, and an unmanaged Secret in managed-only mode', async () => {
    const { cluster, service } = createFixture({ managedOnly: true });
    const live = seedLive(cluster);
    const snapshot = seedSnapshot(cluster, live, 1);
    cluster.seed({ namespace: 'team-a', name: 'unmanaged' });
    for (const who of [actor(), admin()]) {
      for (const name of ['absent', snapshot.name, 'unmanaged']) {
        await expect(
          service.authorize(who, refInScope({ namespace: 'team-a', name }), deadline),
        ).rejects.toMatchObject({
          code: 'notFound',
          message: 'Secret not found',
        });
      }
    }
  });

  it.each([
    ['its label', { labels: { 'service.io/kind': 'history' } }],
    ['its annotation', { annotations: { 'service.io/kind': 'history' } }],
  ])('takes a snapshot that has kept only %s for a snapshot', async (_what, overrides) => {
    const { cluster, service } = createFixture();
    seedLive(cluster, overrides);
    expect(await codeOf(service.authorize(admin(), refInScope(REF), deadline))).toBe('notFound');
  });

  it('shows unmanaged Secrets outside managed-only mode', async () => {
    const { cluster, service } = createFixture();
    seedLive(cluster, { annotations: {} });
    expect((await service.authorize(actor(), refInScope(REF), deadline)).live.name).toBe('db');
  });

  it('is not found before it is forbidden', async () => {
    const { cluster, service } = createFixture({ managedOnly: true });
    cluster.setPolicy('team-a', { allowedGroups: '["no-one"]' });
    seedLive(cluster, { annotations: CLOSED });
    expect(await codeOf(service.authorize(actor(), refInScope(REF), deadline))).toBe('notFound');
    expect(await codeOf(service.authorize(actor(), refInScope({ ...REF, name: 'absent' }), deadline))).toBe(
      'notFound',
    );
  });

  it('is not found before the policy turns out to be unavailable, and does not read it', async () => {
    const { cluster, service } = createFixture();
    cluster.fail({ method: 'policies.read' }, 'unavailable');
    expect(await codeOf(service.authorize(actor(), refInScope(REF), deadline))).toBe('notFound');
    expect(callLines(cluster)).toEqual(['read db']);
  });

  it('is forbidden where rules deny, and unavailable where the policy is needed and not usable', async () => {
    const { cluster, service } = createFixture();
    const live = seedLive(cluster, { annotations: CLOSED });
    expect(await codeOf(service.authorize(actor(), refInScope(REF), deadline))).toBe('forbidden');
    cluster.touch(live, { annotations: new Map() });
    cluster.setPolicy('team-a', { allowedGroups: 'x' });
    expect(await codeOf(service.authorize(actor(), refInScope(REF), deadline))).toBe('policyUnavailable');
    expect((await service.authorize(admin(), refInScope(REF), deadline)).live.name).toBe('db');
  });

  it('fails with what the cluster says when the Secret cannot be read', async () => {
    const { cluster, service } = createFixture();
    cluster.fail({ method: 'secrets.read' }, 'rbacForbidden');
    expect(await codeOf(service.authorize(actor(), refInScope(REF), deadline))).toBe('rbacForbidden');
  });

  it('gives what was just read, and its values split', async () => {
    const { cluster, service } = createFixture();
    seedLive(cluster, { data: { a: 'x', b: Uint8Array.of(0) } });
    const open = await service.authorize(actor(), refInScope(REF), deadline);
    expect(open.live.managed.version).toBe(3);
    const { values } = service.read(open);
    expect(values.text).toEqual(new Map([['a', 'x']]));
    expect(values.binary).toEqual(new Map([['b', Uint8Array.of(0)]]));
  });
});
