import { afterAll, beforeAll, expect, it } from 'vitest';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import type { ClusterGround } from './cluster-ground.ts';

const deadline = unhurriedCall();

/** Registers the promises of PolicyStore and NamespaceStore as tests of the stores that `open` gives. */
export function policyStoreContract(open: () => Promise<ClusterGround>): void {
  let ground: ClusterGround;

  beforeAll(async () => {
    ground = await open();
  });
  afterAll(() => ground.close());

  it('reads undefined for a namespace without a policy', async () => {
    expect(await ground.policies.read(await ground.addNamespace(), deadline)).toBeUndefined();
  });

  it('reads undefined for a namespace that is absent', async () => {
    expect(await ground.policies.read('no-such-namespace', deadline)).toBeUndefined();
  });

  it("reads a namespace's policy as it is, judged by nobody", async () => {
    const namespace = await ground.addNamespace();
    await ground.setPolicy(
      namespace,
      { allowedGroups: '["a, b"]', other: 'not JSON' },
      { allowedUsers: 'AA==' },
    );
    const policy = await ground.policies.read(namespace, deadline);
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
      await ground.addNamespace(),
      await ground.addNamespace(),
      await ground.addNamespace(),
    ];
    await ground.setPolicy(one, { allowedGroups: '["one"]' });
    await ground.setPolicy(other, {});
    const policies = await ground.policies.readAll(deadline);
    const byNamespace = new Map(policies.map((policy) => [policy.namespace, policy]));
    expect(byNamespace.get(one)?.data.get('allowedGroups')).toBe('["one"]');
    expect(byNamespace.get(other)?.data.size).toBe(0);
    expect(byNamespace.has(without)).toBe(false);
  });

  it('names all namespaces', async () => {
    const added = [await ground.addNamespace(), await ground.addNamespace()];
    expect(await ground.namespaces.names(deadline)).toEqual(expect.arrayContaining(added));
  });
}
