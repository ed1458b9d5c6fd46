import { afterAll, beforeAll, expect, it } from 'vitest';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import type { ClusterFixture } from './cluster-fixture.ts';

const deadline = unhurriedCall();

/** Registers the promises of PolicyStore and NamespaceStore as tests of the stores that `open` gives. */
export function policyStoreContract(open: () => Promise<ClusterFixture>): void {
  let fixture: ClusterFixture;

  beforeAll(async () => {
    fixture = await open();
  });
  afterAll(() => fixture.close());

  it('reads undefined for a namespace without a policy', async () => {
    expect(await fixture.policies.read(await fixture.addNamespace(), deadline)).toBeUndefined();
  });

  it('reads undefined for a namespace that is absent', async () => {
    expect(await fixture.policies.read('no-such-namespace', deadline)).toBeUndefined();
  });

  it("reads a namespace's policy as it is, judged by no one", async () => {
    const namespace = await fixture.addNamespace();
    await fixture.setPolicy(
      namespace,
      { allowedGroups: '["a, b"]', other: 'not JSON' },
      { allowedUsers: 'AA==' },
    );
    const policy = await fixture.policies.read(namespace, deadline);
    expect(policy?.namespace).toBe(namespace);
    expect(new Map(policy?.data)).toEqual(
      new Map([
        ['allowedGroups', '["a, b"]'],
        ['other', 'not JSON'],
      ]),
    );
    expect(policy?.binaryKeys).toEqual(['allowedUsers']);
  });

  it('reads the policies of all namespaces that have one', async () => {
    const [one, other, without] = [
      await fixture.addNamespace(),
      await fixture.addNamespace(),
      await fixture.addNamespace(),
    ];
    await fixture.setPolicy(one, { allowedGroups: '["one"]' });
    await fixture.setPolicy(other, {});
    const policies = await fixture.policies.readAll(deadline);
    const byNamespace = new Map(policies.map((policy) => [policy.namespace, policy]));
    expect(byNamespace.get(one)?.data.get('allowedGroups')).toBe('["one"]');
    expect(byNamespace.get(other)?.data.size).toBe(0);
    expect(byNamespace.has(without)).toBe(false);
  });

  it('names all namespaces', async () => {
    const added = [await fixture.addNamespace(), await fixture.addNamespace()];
    expect(await fixture.namespaces.names(deadline)).toEqual(expect.arrayContaining(added));
  });
}
