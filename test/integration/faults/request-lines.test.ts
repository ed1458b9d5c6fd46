import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, GUEST } from '../../harness/api-client.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';

// At the level that installations run with, the line of a failed request says where to look.

let stack: InProcessStack;
let namespace: string;
beforeAll(async () => {
  stack = await startInProcessStack({
    reconciles: false,
    env: { LOG_LEVEL: 'info', LOG_REQUESTS: 'all', SERVICE_LIST_CACHE: 'false' },
  });
  namespace = await stack.namespace();
  await stack.kube.setPolicy(namespace, { allowedGroups: 'no list' });
});
afterAll(() => stack.close());

/** The `request` lines that are logged meanwhile. */
async function lineOf(path: string, user?: typeof GUEST): Promise<Readonly<Record<string, unknown>>> {
  const client = await stack.client(user);
  const requestId = (await client.get(path)).headers.get('x-request-id');
  const isIt = (line: Readonly<Record<string, unknown>>): boolean =>
    line['event'] === 'request' && line['requestId'] === requestId;
  await expect.poll(() => stack.logLines().filter(isIt)).toHaveLength(1);
  return stack.logLines().find(isIt) ?? {};
}

describe('the line of a request', () => {
  it('names the namespace whose policy cannot be understood', async () => {
    const line = await lineOf(`/api/namespaces/${namespace}/secrets`, GUEST);
    expect(line).toMatchObject({
      status: 503,
      code: 'policyUnavailable',
      reason: 'policyInvalid',
      namespace,
    });
  });

  it('names the namespace of a list that failed, of which there is no audit line', async () => {
    const refused = { match: { namespace, verb: 'list', resource: 'secrets' } } as const;
    const fault = stack.dev.faults.add({ ...refused, action: { type: 'cut', when: 'midway' } });
    const line = await lineOf(`/api/namespaces/${namespace}/secrets`, ADMIN);
    fault.remove();
    expect(line).toMatchObject({ status: 503, namespace });
  });

  it('names none when the request went well', async () => {
    expect(await lineOf(`/api/namespaces/${namespace}/secrets`, ADMIN)).not.toHaveProperty('namespace');
  });

  it('repeats nothing of strangers, and nothing that cannot be a namespace', async () => {
    const strangers = await lineOf(`/api/namespaces/${namespace}/secrets`);
    expect(strangers).toMatchObject({ status: 401 });
    expect(strangers).not.toHaveProperty('namespace');
    const malformed = await lineOf('/api/namespaces/No%20Namespace/secrets', ADMIN);
    expect(malformed).toMatchObject({ status: 400 });
    expect(malformed).not.toHaveProperty('namespace');
  });
});
