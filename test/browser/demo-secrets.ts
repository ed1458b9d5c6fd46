import { randomBytes } from 'node:crypto';
import { makeCertificate } from '../fakes/certificate.ts';
import type { InProcessStack } from '../harness/in-process-stack.ts';
import { ADMIN } from '../harness/api-client.ts';

const fresh = () => randomBytes(12).toString('base64url');

/** Secrets of every kind that the pages treat in a way of its own, in the namespace `team-a`. */
export async function createDemoSecrets(stack: InProcessStack): Promise<string> {
  const namespace = 'team-a';
  await stack.kube.createNamespace(namespace);
  const admin = await stack.client(ADMIN);
  const create = async (secret: object) => {
    const answer = await admin.post(`/api/namespaces/${namespace}/secrets`, secret);
    if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
  };
  const { cert, key } = makeCertificate('orders.example.com');
  await create({
    name: 'orders-database',
    type: 'kubernetes.io/basic-auth',
    description: 'Credentials of the orders database',
    allowedGroups: ['team-a'],
    data: { username: 'orders', password: fresh() },
  });
  await create({
    name: 'orders-tls',
    type: 'kubernetes.io/tls',
    description: 'Certificate of orders.example.com',
    data: { 'tls.crt': cert, 'tls.key': key },
  });
  const registry = { auths: { 'registry.example.com': { username: 'puller', password: fresh() } } };
  await create({
    name: 'pull-credentials',
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': JSON.stringify(registry) },
  });
  await create({
    name: 'settings',
    description: 'Settings of the payment service',
    allowedGroups: ['team-a', 'team-b', 'operations'],
    allowedUsers: ['developer-a@example.com'],
    data: {
      'config.json': '{"retries":3,"hosts":["a","b"]}',
      API_TOKEN: fresh(),
      EMPTY: '',
      motd: 'one\ntwo\n',
    },
  });
  await stack.kube.createSecret(namespace, {
    metadata: { name: 'keystore' },
    data: {
      'store.bin': randomBytes(400).toString('base64'),
      alias: Buffer.from('orders').toString('base64'),
    },
  });
  await stack.kube.createSecret(namespace, {
    metadata: { name: 'licence', annotations: { 'service.io/description': 'Bought once, for ever' } },
    immutable: true,
    data: { 'licence.txt': Buffer.from('LICENCE-0001').toString('base64') },
  });
  return namespace;
}

/** One more version of `settings`, made by an administrator. */
export async function changeSettings(stack: InProcessStack, namespace: string, token: string): Promise<void> {
  const admin = await stack.client(ADMIN);
  const path = `/api/namespaces/${namespace}/secrets/settings`;
  const { secret } = (await admin.get(path)).json as { secret: { resourceVersion: string; data: object } };
  const data = { ...secret.data, API_TOKEN: token };
  const answer = await admin.put(path, { resourceVersion: secret.resourceVersion, data });
  if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
}
