import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { errorOf, jsonOf } from '../../harness/answers.ts';
import { ADMIN, type ApiClient } from '../../harness/api-client.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { stateOf } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';

const PLANTED = 'exceeded quota: planted-4711';

let stack: InProcessStack;
let admin: ApiClient;
let namespace: string;
let secrets: SecretsClient;
beforeAll(async () => {
  stack = await startInProcessStack();
  admin = await stack.client(ADMIN);
});
afterAll(() => stack.close());
beforeEach(async () => {
  stack.dev.faults.clear();
  namespace = await stack.namespace();
  secrets = secretsOf(admin, namespace);
});

/** Refuses what is created: a quota names the object, and a webhook nothing. */
function refuse(details: { kind?: string; name?: string }): void {
  const action = { type: 'status', status: 403, message: PLANTED, details } as const;
  stack.dev.faults.add({ match: { verb: 'create', resource: 'secrets', namespace }, action });
}

it.each([
  ['a quota', { kind: 'secrets', name: 'a' }],
  ['a webhook', {}],
])('%s that forbids a Secret answers 503, unlike a missing right', async (_who, details) => {
  refuse(details);
  const before = await stateOf(stack.kube, namespace);
  const text = errorOf(await admin.post(secrets.path(), { name: 'a' }), 503);
  expect(text).toBe('A quota or an admission policy of the cluster forbids the change');
  expect(await stateOf(stack.kube, namespace)).toEqual(before);
  expect(stack.logLines()).toContainEqual(
    expect.objectContaining({ event: 'request', status: 503, reason: 'admissionRefused:create:secrets' }),
  );
  expect(stack.log()).not.toContain('planted');
});

it('a quota that forbids the snapshot leaves the Secret as it is', async () => {
  const { resourceVersion } = await secrets.create('a');
  refuse({ kind: 'secrets', name: 'a.v1' });
  const before = await stateOf(stack.kube, namespace);
  errorOf(await admin.put(secrets.path('a'), { resourceVersion, data: { key: 'new' } }), 503);
  expect(await stateOf(stack.kube, namespace)).toEqual(before);
  expect(stack.logLines()).toContainEqual(
    expect.objectContaining({
      event: 'request',
      reason: 'snapshotNotCreated:admissionRefused:create:secrets',
    }),
  );
});

it('a webhook that cannot be reached fails the write, and no search', async () => {
  await secrets.create('a');
  const action = { type: 'status', status: 500, message: PLANTED } as const;
  stack.dev.faults.add({ match: { verb: 'create', resource: 'secrets', namespace }, action });
  errorOf(await admin.post(secrets.path(), { name: 'b' }), 503);
  const found = jsonOf(await admin.get(`/api/search?q=${namespace}`), 200);
  expect(found).toMatchObject({ results: [{ name: 'a' }] });
});
