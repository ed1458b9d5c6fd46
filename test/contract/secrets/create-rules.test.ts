import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const here = openNamespaceFixture();
const { freshName } = here;

describe('creation is gated by namespace rules only', () => {
  let gated: string;
  beforeAll(async () => {
    gated = await here.stack.namespace();
    await here.stack.kube.createSecret(
      gated,
      nativeSecret(
        'open-to-all',
        {},
        { metadata: { annotations: { [annotation('allowed-groups')]: 'team-b' } } },
      ),
    );
  });
  const developerCreates = () =>
    here.stack.developerA.post(secretsPath(gated), { name: freshName(), allowedGroups: ['team-a'] });

  it('no policy, and a policy without rules, are open', async () => {
    secretOf(await developerCreates(), 201);
    await here.stack.kube.setPolicy(gated, { allowedGroups: '[]', somethingElse: 'not JSON' });
    secretOf(await developerCreates(), 201);
  });

  it('rules that name the group or the user let pass, emails in any case', async () => {
    await here.stack.kube.setPolicy(gated, { allowedGroups: '["team-a"]' });
    secretOf(await developerCreates(), 201);
    await here.stack.kube.setPolicy(gated, { allowedUsers: '["DEVELOPER-A@Example.com"]' });
    secretOf(await developerCreates(), 201);
  });

  it('rules that exclude answer 403, whatever access rules the new Secret would have', async () => {
    await here.stack.kube.setPolicy(gated, { allowedGroups: '["Team-A","team-b"]' });
    const before = await stateOf(here.stack.kube, gated);
    errorOf(await developerCreates(), 403);
    expect(await stateOf(here.stack.kube, gated)).toEqual(before);
  });

  it.each([
    ['no JSON', '[team-a'],
    ['no array', '{"team-a":true}'],
    ['with a blank entry', '["team-a"," "]'],
    ['with an entry that is no string', '["team-a",1]'],
  ])('a policy that is invalid, %s, answers 503; admins still create', async (_what, allowedGroups) => {
    await here.stack.kube.setPolicy(gated, { allowedGroups });
    const before = await stateOf(here.stack.kube, gated);
    expect(errorOf(await developerCreates(), 503)).toBe('Namespace access policy is unavailable');
    expect(await stateOf(here.stack.kube, gated)).toEqual(before);
    secretOf(await here.stack.admin.post(secretsPath(gated), { name: freshName() }), 201);
  });

  describe.runIf(ON_DEV_CLUSTER)('with a cluster that fails', () => {
    it('a policy that cannot be read answers 503, and nothing is written', async () => {
      const fault = here.stack.dev.faults.add({
        match: { verb: 'get', resource: 'configmaps', namespace: gated },
        action: { type: 'status', status: 403 },
      });
      const before = await stateOf(here.stack.kube, gated);
      expect(errorOf(await developerCreates(), 503)).toBe('Namespace access policy is unavailable');
      fault.remove();
      expect(await stateOf(here.stack.kube, gated)).toEqual(before);
    });
  });
});
