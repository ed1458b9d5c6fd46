import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, callLines, seedLive, seedSnapshot } from '../history/live-secret.ts';
import type { ListJson } from '../../harness/answers.ts';
import { createFixture, type Fixture } from '../secrets/fixture.ts';
import { inScope } from '../../fakes/in-scope.ts';

const list = async ({ lists }: Fixture, who = actor()): Promise<ListJson> => {
  const { body } = await lists.list(who, inScope('team-a'), { live: false }, deadline);
  return JSON.parse(body.plain.toString()) as ListJson;
};
const shown = async (fixture: Fixture, who = actor()) =>
  (await list(fixture, who)).secrets.map(({ name }) => name);

function withSecrets(options: Parameters<typeof createFixture>[0] = {}): Fixture {
  const fixture = createFixture(options);
  const { cluster } = fixture;
  seedLive(cluster, { name: 'zeta' });
  seedLive(cluster, { name: 'mine', annotations: { 'service.io/allowed-groups': 'team-a' } });
  seedLive(cluster, { name: 'theirs', annotations: { 'service.io/allowed-users': 'x@example.com' } });
  seedLive(cluster, { name: 'unmanaged', annotations: {} });
  seedLive(cluster, { name: 'elsewhere', namespace: 'team-b' });
  return fixture;
}

describe('the list of Secrets', () => {
  it('is ordered by name, with what the user may see of this namespace', async () => {
    const fixture = withSecrets();
    expect(await shown(fixture)).toEqual(['mine', 'unmanaged', 'zeta']);
    expect(await shown(fixture, actor({ email: 'X@Example.com', groups: [] }))).toEqual([
      'theirs',
      'unmanaged',
      'zeta',
    ]);
    expect(await shown(fixture, admin())).toEqual(['mine', 'theirs', 'unmanaged', 'zeta']);
  });

  it('is one page and, after it, one read of the policy, for an admin the page alone', async () => {
    const fixture = withSecrets();
    await list(fixture);
    await list(fixture, admin());
    expect(callLines(fixture.cluster)).toEqual(['listPage', 'policies.read', 'listPage']);
  });

  it('has summaries without values', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster, { data: { a: 'planted-4711', b: Buffer.from('\0planted-4711') } });
    const answer = await list(fixture);
    expect(JSON.stringify(answer)).not.toContain('planted-4711');
    expect(answer).toMatchObject({ namespace: 'team-a', canCreate: true });
    expect(answer.secrets[0]).toMatchObject({ keys: ['a', 'b'], keyCount: 2, binaryKeys: ['b'] });
  });

  it('leaves out snapshots, also those that have lost their label or their annotation', async () => {
    const fixture = createFixture();
    const live = seedLive(fixture.cluster);
    seedSnapshot(fixture.cluster, live, 1);
    seedSnapshot(fixture.cluster, live, 2, () => ({ labels: new Map() }));
    seedSnapshot(fixture.cluster, live, 3, () => ({ annotations: new Map() }));
    expect(await shown(fixture, admin())).toEqual(['db']);
  });

  it('leaves out unmanaged Secrets in managed-only mode, by the annotation alone', async () => {
    const fixture = createFixture({ managedOnly: true });
    seedLive(fixture.cluster, { name: 'marked' });
    seedLive(fixture.cluster, {
      name: 'labelled',
      annotations: {},
      labels: { 'service.io/managed-by': 'service' },
    });
    seedLive(fixture.cluster, { name: 'other', annotations: { 'service.io/managed-by': 'helm' } });
    expect(await shown(fixture, admin())).toEqual(['marked']);
  });

  it('shows Secrets whose deletion is pending, as such', async () => {
    const fixture = createFixture();
    const live = seedLive(fixture.cluster, { finalizers: ['example.com/hold'] });
    await fixture.cluster.secrets.delete(live, live, deadline);
    expect((await list(fixture)).secrets[0]?.deletionTimestamp).toBeDefined();
  });

  it('of a namespace without Secrets is empty', async () => {
    expect(await list(createFixture())).toEqual({ namespace: 'team-a', secrets: [], canCreate: true });
  });

  it('says whether the user may create here, by the namespace rules alone', async () => {
    const fixture = withSecrets();
    fixture.cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
    expect(await list(fixture)).toMatchObject({ canCreate: false });
    expect(await shown(fixture)).toEqual(['mine']);
    expect(await list(fixture, admin())).toMatchObject({ canCreate: true });
  });

  it.each([
    ['empty', () => createFixture()],
    [
      'full of Secrets with rules of their own',
      () => {
        const fixture = createFixture();
        seedLive(fixture.cluster, { annotations: { 'service.io/allowed-groups': 'team-a' } });
        return fixture;
      },
    ],
  ])('fails for everyone but admins without a usable policy, even when %s', async (_what, open) => {
    const fixture = open();
    fixture.cluster.setPolicy('team-a', { allowedGroups: '[1]' });
    await expect(list(fixture)).rejects.toMatchObject({
      code: 'policyUnavailable',
      message: 'Namespace access policy is unavailable',
    });
    expect(callLines(fixture.cluster)).toEqual(['listPage', 'policies.read']);
    expect(await list(fixture, admin())).toMatchObject({ namespace: 'team-a' });
  });

  it('fails rather than being truncated', async () => {
    const fixture = createFixture();
    for (let index = 0; index < 1_100; index++)
      fixture.cluster.seed({ namespace: 'team-a', name: `s${index}` });
    expect(await shown(fixture)).toHaveLength(1_100);
    fixture.cluster.fail({ method: 'secrets.listPage', skip: 2 }, 'unavailable');
    expect(await codeOf(list(fixture))).toBe('listFailed');
  });

  it('is judged by what was collected, not by what changed afterwards', async () => {
    const fixture = createFixture();
    const live = seedLive(fixture.cluster);
    fixture.cluster.on({ method: 'secrets.listPage' }, () => {
      fixture.cluster.touch(live, { annotations: new Map([['service.io/allowed-groups', 'team-b']]) });
    });
    expect(await shown(fixture)).toEqual([]);
  });

  it('joins no older policy: who was never allowed sees nothing when first the policy is closed, then the rules are cleared', async () => {
    const fixture = createFixture();
    const closed = { 'service.io/allowed-groups': 'team-b' };
    const live = seedLive(fixture.cluster, { annotations: closed });
    fixture.cluster.on({ method: 'secrets.listPage' }, () => {
      fixture.cluster.setPolicy('team-a', { allowedGroups: '["team-b"]' });
      fixture.cluster.touch(live, { annotations: new Map() });
    });
    expect(await shown(fixture)).toEqual([]);
  });
});
