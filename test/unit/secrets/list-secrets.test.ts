import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { actor, admin } from '../access/users.ts';
import { call, callLines, seedLive, seedSnapshot } from '../history/live-secret.ts';
import type { ListJson } from '../../harness/answers.ts';
import { openGround, type Ground } from './fixture.ts';

const list = async ({ service }: Ground, who = actor()): Promise<ListJson> => {
  const { body } = await service.list(who, 'team-a', { live: false }, call);
  return JSON.parse(body.toString()) as ListJson;
};
const shown = async (ground: Ground, who = actor()) =>
  (await list(ground, who)).secrets.map(({ name }) => name);

function withSecrets(options: Parameters<typeof openGround>[0] = {}): Ground {
  const ground = openGround(options);
  const { cluster } = ground;
  seedLive(cluster, { name: 'zeta' });
  seedLive(cluster, { name: 'mine', annotations: { 'service.io/allowed-groups': 'team-a' } });
  seedLive(cluster, { name: 'theirs', annotations: { 'service.io/allowed-users': 'x@example.com' } });
  seedLive(cluster, { name: 'unmanaged', annotations: {} });
  seedLive(cluster, { name: 'elsewhere', namespace: 'team-b' });
  return ground;
}

describe('the list of Secrets', () => {
  it('is ordered by name, with what the user may see of this namespace', async () => {
    const ground = withSecrets();
    expect(await shown(ground)).toEqual(['mine', 'unmanaged', 'zeta']);
    expect(await shown(ground, actor({ email: 'X@Example.com', groups: [] }))).toEqual([
      'theirs',
      'unmanaged',
      'zeta',
    ]);
    expect(await shown(ground, admin())).toEqual(['mine', 'theirs', 'unmanaged', 'zeta']);
  });

  it('is one page and, after it, one read of the policy, for an admin the page alone', async () => {
    const ground = withSecrets();
    await list(ground);
    await list(ground, admin());
    expect(callLines(ground.cluster)).toEqual(['listPage', 'policies.read', 'listPage']);
  });

  it('has summaries without values', async () => {
    const ground = openGround();
    seedLive(ground.cluster, { data: { a: 'planted-4711', b: Buffer.from('\0planted-4711') } });
    const answer = await list(ground);
    expect(JSON.stringify(answer)).not.toContain('planted-4711');
    expect(answer).toMatchObject({ namespace: 'team-a', canCreate: true });
    expect(answer.secrets[0]).toMatchObject({ keys: ['a', 'b'], keyCount: 2, binaryKeys: ['b'] });
  });

  it('leaves out snapshots, also those that have lost their label or their annotation', async () => {
    const ground = openGround();
    const live = seedLive(ground.cluster);
    seedSnapshot(ground.cluster, live, 1);
    seedSnapshot(ground.cluster, live, 2, () => ({ labels: new Map() }));
    seedSnapshot(ground.cluster, live, 3, () => ({ annotations: new Map() }));
    expect(await shown(ground, admin())).toEqual(['db']);
  });

  it('leaves out unmanaged Secrets in managed-only mode, by the annotation alone', async () => {
    const ground = openGround({ managedOnly: true });
    seedLive(ground.cluster, { name: 'marked' });
    seedLive(ground.cluster, {
      name: 'labelled',
      annotations: {},
      labels: { 'service.io/managed-by': 'service' },
    });
    seedLive(ground.cluster, { name: 'other', annotations: { 'service.io/managed-by': 'helm' } });
    expect(await shown(ground, admin())).toEqual(['marked']);
  });

  it('shows Secrets whose deletion is pending, as such', async () => {
    const ground = openGround();
    const live = seedLive(ground.cluster, { finalizers: ['example.com/hold'] });
    await ground.cluster.secrets.delete(live, live, call);
    expect((await list(ground)).secrets[0]?.deletionTimestamp).toBeDefined();
  });

  it('of a namespace without Secrets is empty', async () => {
    expect(await list(openGround())).toEqual({ namespace: 'team-a', secrets: [], canCreate: true });
  });

  it('says whether the user may create here, by the namespace rules alone', async () => {
    const ground = withSecrets();
    ground.cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
    expect(await list(ground)).toMatchObject({ canCreate: false });
    expect(await shown(ground)).toEqual(['mine']);
    expect(await list(ground, admin())).toMatchObject({ canCreate: true });
  });

  it.each([
    ['empty', () => openGround()],
    [
      'full of Secrets with rules of their own',
      () => {
        const ground = openGround();
        seedLive(ground.cluster, { annotations: { 'service.io/allowed-groups': 'team-a' } });
        return ground;
      },
    ],
  ])('fails for everyone but admins without a usable policy, even when %s', async (_what, open) => {
    const ground = open();
    ground.cluster.setPolicy('team-a', { allowedGroups: '[1]' });
    await expect(list(ground)).rejects.toMatchObject({
      code: 'policyUnavailable',
      message: 'Namespace access policy is unavailable',
    });
    expect(callLines(ground.cluster)).toEqual(['listPage', 'policies.read']);
    expect(await list(ground, admin())).toMatchObject({ namespace: 'team-a' });
  });

  it('is refused outside the scope without a call, to admins, too', async () => {
    const ground = openGround({ scope: ['team-b'] });
    expect(await codeOf(list(ground, admin()))).toBe('forbidden');
    expect(ground.cluster.calls).toEqual([]);
  });

  it('fails rather than being truncated', async () => {
    const ground = openGround();
    for (let index = 0; index < 1_100; index++)
      ground.cluster.seed({ namespace: 'team-a', name: `s${index}` });
    expect(await shown(ground)).toHaveLength(1_100);
    ground.cluster.fail({ method: 'secrets.listPage', skip: 2 }, 'unavailable');
    expect(await codeOf(list(ground))).toBe('listFailed');
  });

  it('is judged by what was collected, not by what changed afterwards', async () => {
    const ground = openGround();
    const live = seedLive(ground.cluster);
    ground.cluster.on({ method: 'secrets.listPage' }, () => {
      ground.cluster.touch(live, { annotations: new Map([['service.io/allowed-groups', 'team-b']]) });
    });
    expect(await shown(ground)).toEqual([]);
  });

  it('joins no older policy: who was never allowed sees nothing when first the policy is closed, then the rules are cleared', async () => {
    const ground = openGround();
    const closed = { 'service.io/allowed-groups': 'team-b' };
    const live = seedLive(ground.cluster, { annotations: closed });
    ground.cluster.on({ method: 'secrets.listPage' }, () => {
      ground.cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
      ground.cluster.touch(live, { annotations: new Map() });
    });
    expect(await shown(ground)).toEqual([]);
  });
});
