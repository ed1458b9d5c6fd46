import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { ADMIN, clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

const SYSTEM = 'kube-system';
const TYPES = ['bootstrap.kubernetes.io/token', 'bootstrap.platform.io/token'];

let stack: Stack;
let admin: ApiClient;
let developer: ApiClient;
beforeAll(async () => {
  stack = await openStack();
  const { url } = await stack.anotherService({ env: { SERVICE_NAMESPACES: '*,kube-system' } });
  [admin, developer] = [await clientFor(url, ADMIN), await clientFor(url, DEVELOPER_A)];
});
afterAll(() => stack.close());

// Tokens of a cluster that is used would be real ones.
describe.runIf(ON_DEV_CLUSTER).each(TYPES)('a Secret of type %s in kube-system', (type) => {
  const name = `token-${TYPES.indexOf(type)}`;

  async function refused(send: () => Promise<Awaited<ReturnType<ApiClient['post']>>>): Promise<void> {
    const before = await stateOf(stack.kube, SYSTEM);
    expect(errorOf(await send(), 403)).toBe('Only an admin may write bootstrap tokens in kube-system');
    expect(await stateOf(stack.kube, SYSTEM)).toEqual(before);
  }

  it('is created by administrators only: after the fields, before the sizes, with nothing written', async () => {
    const body = { name, type, data: { 'token-id': 'abcdef' } };
    expect(errorOf(await developer.post(secretsPath(SYSTEM), { ...body, data: { 'b b': '' } }), 400)).toMatch(
      /keys/,
    );
    await refused(() => developer.post(secretsPath(SYSTEM), { ...body, data: { a: 'x'.repeat(1_048_577) } }));
    await refused(() => developer.post(secretsPath(SYSTEM), body));
    secretOf(await admin.post(secretsPath(SYSTEM), body), 201);
  });

  it('is updated by administrators only, metadata included: before the revision, with nothing archived', async () => {
    await refused(() =>
      developer.put(secretsPath(SYSTEM, name), { resourceVersion: '0', description: 'mine' }),
    );
    const { resourceVersion } = secretOf(await developer.get(secretsPath(SYSTEM, name)));
    await refused(() => developer.put(secretsPath(SYSTEM, name), { resourceVersion, data: { a: 'b' } }));
    secretOf(await admin.put(secretsPath(SYSTEM, name), { resourceVersion, data: { a: 'b' } }));
  });

  it('is restored by administrators only: before the revision and the version', async () => {
    const path = secretsPath(SYSTEM, name, 'restore');
    await refused(() => developer.post(path, { resourceVersion: '0', version: 9 }));
    const { resourceVersion } = secretOf(await developer.get(secretsPath(SYSTEM, name)));
    await refused(() => developer.post(path, { resourceVersion, version: 1 }));
    secretOf(await admin.post(path, { resourceVersion, version: 1 }));
  });

  it('is restored once deleted by administrators only: after the name, with nothing written', async () => {
    const { resourceVersion } = secretOf(await admin.get(secretsPath(SYSTEM, name)));
    const query = '&keepHistory=true&archive=true';
    const answer = await admin.delete(secretsOf(admin, SYSTEM).deletePath(name, resourceVersion, query));
    const { uid } = jsonOf(answer, 200) as { uid: string };
    const path = `/api/namespaces/${SYSTEM}/deleted/${uid}/restore`;
    errorOf(await developer.post(path, { name: 'Bad_Name' }), 400);
    await refused(() => developer.post(path, {}));
    secretOf(await admin.post(path, {}), 201);
  });

  it('is read and deleted by the usual rules', async () => {
    const { resourceVersion } = secretOf(await developer.get(secretsPath(SYSTEM, name)));
    const answer = await developer.delete(secretsOf(developer, SYSTEM).deletePath(name, resourceVersion));
    expect(answer.status).toBe(200);
  });

  it('is a type like any other in other namespaces', async () => {
    const namespace = await stack.namespace();
    const secrets = secretsOf(developer, namespace);
    await secrets.create('a', { type });
    await secrets.update('a', { data: { key: 'value' } });
  });
});

describe.runIf(ON_DEV_CLUSTER)('a Secret of another type in kube-system, where that is in scope', () => {
  it('is written by the usual rules', async () => {
    const secrets = secretsOf(developer, SYSTEM);
    await secrets.create('other', { type: 'bootstrap.kubernetes.io/tokens' });
    expect((await secrets.update('other', { description: 'd' })).version).toBe(2);
  });

  it('is not made a bootstrap token by an update', async () => {
    await stack.kube.createSecret(SYSTEM, nativeSecret('plain', { a: 'b' }));
    const { resourceVersion } = secretOf(await developer.get(secretsPath(SYSTEM, 'plain')));
    const body = { resourceVersion, type: 'bootstrap.kubernetes.io/token' };
    errorOf(await developer.put(secretsPath(SYSTEM, 'plain'), body), 400);
  });
});
