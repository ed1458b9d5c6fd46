import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, jsonOf, secretOf, versionOf } from '../../harness/answers.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { annotation } from '../../harness/annotation.ts';

/** As base64, 27 of these are more than the 32 MiB that a list may have. */
const LARGE = 'x'.repeat(1_000_000);
const SNAPSHOTS = 27;
const HISTORY = annotation('kind=history');

let stack: Stack;
let namespace: string;
let admin: ApiClient;
let secrets: SecretsClient;

beforeAll(async () => {
  stack = await startStack({ env: { SERVICE_HISTORY_LIMIT: '100' } });
  namespace = await stack.namespace();
  admin = await clientFor(stack.service.url, ADMIN);
  secrets = secretsOf(admin, namespace);
  let { resourceVersion } = await secrets.create('a', { data: { key: LARGE } });
  for (let version = 2; version <= SNAPSHOTS + 1; version++) {
    const answer = await admin.put(secrets.path('a'), { resourceVersion, description: `version ${version}` });
    ({ resourceVersion } = secretOf(answer));
  }
}, 180_000); // every megabyte crosses four wires
afterAll(() => stack.close());

describe('a Secret whose snapshots are larger than a list may be', () => {
  it('has versions that are listed and read one by one', async () => {
    const every = Array.from({ length: SNAPSHOTS }, (_one, index) => SNAPSHOTS - index);
    expect(await secrets.versions('a')).toEqual(every);
    expect(versionOf(await admin.get(secrets.path('a', '/versions/1'))).data).toEqual({ key: LARGE });
  });

  it('can have its counter recovered', async () => {
    await stack.kube.patchSecret(namespace, 'a', {
      metadata: { annotations: { [annotation('version')]: '1' } },
    });
    const { resourceVersion } = await secrets.read('a');
    const body = { resourceVersion, data: { key: 'small' } };
    errorOf(await admin.put(secrets.path('a'), body), 409);
    const recovered = secretOf(await admin.put(secrets.path('a'), { ...body, recoverCounter: true }));
    expect(recovered.version).toBe(SNAPSHOTS + 2);
  });

  it('can be deleted with its history', async () => {
    const { resourceVersion } = await secrets.read('a');
    expect(await stack.kube.getSecret(namespace, 'a')).toBeDefined();
    expect(jsonOf(await admin.delete(secrets.deletePath('a', resourceVersion)), 200)).toMatchObject({
      status: 'deleted',
      history: 'cleaned',
    });
    expect(await stack.kube.listSecrets(namespace, HISTORY)).toEqual([]);
  });
});
