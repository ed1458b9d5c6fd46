import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, GUEST, person, type ApiClient } from '../../harness/api-client.ts';
import type { InProcessStack } from '../../harness/in-process-stack.ts';
import { becomes } from '../replicas.ts';
import { clientOf, installation, startInstalled } from './fixture.ts';

// The Secret with the session key lies where the service may read: whoever could read it could be anyone.

const INSTALLED = installation('install.yaml', 'none');
const NAMESPACE = 'secrets-management';
const SECRETS = `/api/namespaces/${NAMESPACE}/secrets`;
const OWN = `${SECRETS}/secrets-management-service`;
const KEY = 'the session key of this installation';

describe('the namespace of the service', () => {
  let stack: InProcessStack;
  let admin: ApiClient;
  let guest: ApiClient;
  beforeAll(async () => {
    stack = await startInstalled(INSTALLED);
    for (const object of INSTALLED.manifests.filter(({ kind }) => kind === 'ConfigMap')) {
      await clientOf(stack).ensure(`/api/v1/namespaces/${NAMESPACE}/configmaps`, object);
    }
    const data = { SESSION_SECRET: Buffer.from(KEY).toString('base64') };
    await stack.kube.createSecret(NAMESPACE, { metadata: { name: 'secrets-management-service' }, data });
    [admin, guest] = await Promise.all([stack.client(ADMIN), stack.client(GUEST)]);
    // No session counts before the revocations have been read.
    await becomes(async () => (await fetch(`${stack.opsUrl}/readyz`)).status, 200, 30_000);
  });
  afterAll(() => stack.close());

  it('shows its own Secret to an administrator', async () => {
    const answer = await admin.get(OWN);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(KEY);
  });

  it('lets no one else read, list, change, delete or make Secrets', async () => {
    const { resourceVersion } = (await admin.get(OWN)).json as { readonly resourceVersion: string };
    const answers = [
      await guest.get(OWN),
      await guest.get(`${OWN}/versions`),
      await guest.put(OWN, { resourceVersion, data: { SESSION_SECRET: 'mine' } }),
      await guest.delete(`${OWN}?resourceVersion=${resourceVersion}`),
      await guest.post(SECRETS, { name: 'planted' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const list = await guest.get(SECRETS);
    expect(list.json).toMatchObject({ secrets: [] });
    expect([...answers, list].filter(({ text }) => text.includes(KEY))).toEqual([]);
  });

  it('cannot be entered by taking the name in its policy for an identity', async () => {
    const policy = INSTALLED.manifests.find(({ metadata }) => metadata.name === 'service-policy');
    const data = policy?.['data'] as { readonly allowedUsers: string } | undefined;
    const [entry = ''] = JSON.parse(data?.allowedUsers ?? '') as readonly string[];
    const namesake = await stack.client(person(entry.trim(), [entry, entry.trim()]));
    expect((await namesake.get(OWN)).status).toBe(403);
  });

  it('would be open without its policy, as every namespace is', async () => {
    await stack.kube.removePolicy(NAMESPACE);
    expect((await guest.get(OWN)).status).toBe(200);
  });
});
