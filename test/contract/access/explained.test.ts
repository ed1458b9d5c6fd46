import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { jsonOf } from '../../harness/answers.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

/** Why someone has access: docs/api.md, "Access". */

let stack: Stack;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

const POLICY = { allowedGroups: ['team-a', 'a, b'], allowedUsers: ['Someone@example.com'] };

/** A namespace with a policy, a Secret `open` without rules and a Secret `guests` with its own. */
async function prepare(policy?: object): Promise<(client: ApiClient, name: string) => Promise<unknown>> {
  const namespace = await stack.namespace();
  const admin = secretsOf(stack.admin, namespace);
  await admin.create('open', {});
  await admin.create('guests', { allowedUsers: ['GUEST@example.com'] });
  if (policy !== undefined) {
    const entries = Object.entries(policy).map(([key, list]) => [key, JSON.stringify(list)]);
    await stack.kube.setPolicy(namespace, Object.fromEntries(entries) as Record<string, string>);
  }
  return async (client, name) => jsonOf(await client.get(admin.path(name, '/access')), 200);
}

describe('GET …/access', () => {
  it('is open where neither the Secret nor the namespace has rules', async () => {
    const open = { level: 'manage', by: 'open', namespaceRules: { state: 'open' } };
    expect(await (await prepare())(stack.guest, 'open')).toEqual(open);
    const empty = await prepare({ allowedGroups: [], allowedUsers: [] });
    expect(await empty(stack.guest, 'open')).toEqual(open);
  });

  it('shows the rules of the namespace as they are to whom they let in, and to administrators', async () => {
    const explain = await prepare(POLICY);
    const namespaceRules = { state: 'rules', ...POLICY };
    expect(await explain(stack.developerA, 'open')).toEqual({
      level: 'manage',
      by: 'namespace',
      namespaceRules,
    });
    expect(await explain(stack.admin, 'open')).toEqual({ level: 'manage', by: 'admin', namespaceRules });
    expect(await explain(stack.admin, 'guests')).toEqual({ level: 'manage', by: 'admin', namespaceRules });
  });

  it('hides them from someone whom only the rules of the Secret let in', async () => {
    const explain = await prepare(POLICY);
    expect(await explain(stack.guest, 'guests')).toEqual({
      level: 'manage',
      by: 'secret',
      namespaceRules: { state: 'hidden' },
    });
  });

  it('says that rules cannot be used, to those who do not need them', async () => {
    const explain = await prepare({ allowedGroups: ['team-a', ' '] });
    const namespaceRules = { state: 'unusable' };
    expect(await explain(stack.guest, 'guests')).toEqual({
      level: 'manage',
      by: 'secret',
      namespaceRules,
    });
    expect(await explain(stack.admin, 'open')).toEqual({ level: 'manage', by: 'admin', namespaceRules });
  });
});

describe('GET /api/access', () => {
  it('says who is an administrator', async () => {
    expect(jsonOf(await stack.admin.get('/api/access'), 200)).toEqual({
      admin: true,
      level: 'manage',
      by: 'admin',
    });
    expect(jsonOf(await stack.developerA.get('/api/access'), 200)).toEqual({ admin: false });
  });
});
