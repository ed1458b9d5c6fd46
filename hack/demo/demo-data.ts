import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ClusterClient } from './cluster-client.ts';
import { demoWorkloads } from './demo-workloads.ts';

const base64 = (value: string | Buffer): string => Buffer.from(value).toString('base64');

/** Values that are generated on each run: nothing that looks like a credential is kept in the repository. */
function freshValues() {
  return {
    password: randomBytes(18).toString('base64url'),
    sshKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    keystore: randomBytes(256),
  };
}

interface DemoSecret {
  readonly namespace: string;
  readonly name: string;
  readonly type?: string;
  readonly immutable?: boolean;
  readonly description?: string;
  readonly allowedGroups?: string;
  readonly data: Readonly<Record<string, string>>;
}

function demoSecrets(): readonly DemoSecret[] {
  const { password, sshKey, keystore } = freshValues();
  const registry = { auths: { 'registry.example.com': { username: 'puller', password } } };
  return [
    {
      namespace: 'team-a',
      name: 'database',
      type: 'kubernetes.io/basic-auth',
      description: 'Credentials of the orders database',
      data: { username: base64('orders'), password: base64(password) },
    },
    {
      namespace: 'team-a',
      name: 'deploy-key',
      type: 'kubernetes.io/ssh-auth',
      description: 'Deploy key of the orders repository',
      data: { 'ssh-privatekey': base64(sshKey) },
    },
    {
      namespace: 'team-a',
      name: 'keystore',
      description: 'A binary value: shown as base64, never edited as text',
      data: { 'store.p12': base64(keystore), alias: base64('orders') },
    },
    {
      namespace: 'team-b',
      name: 'registry',
      type: 'kubernetes.io/dockerconfigjson',
      description: 'Pull credentials',
      data: { '.dockerconfigjson': base64(JSON.stringify(registry)) },
    },
    {
      namespace: 'team-b',
      name: 'licence',
      immutable: true,
      description: 'Immutable: only its description and access can be changed',
      data: { 'licence.txt': base64('LICENCE-0001\nvalid for ever\n') },
    },
    {
      namespace: 'shared',
      name: 'feature-flags',
      description: 'Open to everyone who is signed in',
      data: { 'flags.json': base64('{"darkMode": true}\n') },
    },
    {
      namespace: 'shared',
      name: 'only-team-a',
      description: 'In an open namespace, but with an access rule of its own',
      allowedGroups: 'team-a',
      data: { token: base64(password) },
    },
  ];
}

export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

function asObject(secret: DemoSecret): object {
  return {
    metadata: {
      name: secret.name,
      annotations: {
        'service.io/managed-by': 'service',
        'service.io/version': '1',
        'service.io/description': secret.description ?? '',
        'service.io/allowed-groups': secret.allowedGroups ?? '',
        'service.io/allowed-users': '',
        // By someone who has left, before everything in demo-changes.ts.
        'service.io/last-modified-by': 'casey@example.com',
        'service.io/last-modified-at': inDays(-64.5),
      },
    },
    type: secret.type ?? 'Opaque',
    data: secret.data,
    ...(secret.immutable === true ? { immutable: true } : {}),
  };
}

const WRITTEN_BY_CONTROLLERS: readonly object[] = [
  {
    name: 'shop-config',
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'shared' },
  },
  {
    name: 'shop-token',
    ownerReferences: [
      {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        name: 'shop-token',
        uid: '0d9e2f1c-7a43-4a51-9f0e-0b9d0c6f2a11',
        controller: true,
      },
    ],
  },
  {
    name: 'shop-webhook',
    annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/Secret:shared/shop-webhook' },
  },
];

/** What the service has in scope: neither its own namespace nor `default`, which are there in every cluster. */
export const DEMO_NAMESPACES = ['team-a', 'team-b', 'shared'];

/** Namespaces, policies, Secrets and workloads to try things on. What is there already stays as it is. */
export async function ensureDemoData(cluster: ClusterClient): Promise<void> {
  for (const name of DEMO_NAMESPACES) {
    await cluster.ensure('/api/v1/namespaces', { metadata: { name } });
  }
  for (const team of ['team-a', 'team-b']) {
    await cluster.ensure(`/api/v1/namespaces/${team}/configmaps`, {
      metadata: { name: 'service-policy' },
      data: { allowedGroups: JSON.stringify([team]) },
    });
  }
  for (const secret of demoSecrets()) {
    await cluster.ensure(`/api/v1/namespaces/${secret.namespace}/secrets`, asObject(secret));
  }
  // Created by someone else, to be adopted by the first update through the service.
  await cluster.ensure('/api/v1/namespaces/shared/secrets', {
    metadata: { name: 'made-with-kubectl' },
    data: { greeting: base64('hello') },
  });
  for (const metadata of WRITTEN_BY_CONTROLLERS) {
    await cluster.ensure('/api/v1/namespaces/shared/secrets', {
      metadata,
      data: { token: base64(randomBytes(12).toString('base64url')) },
    });
  }
  for (const { path, object } of demoWorkloads()) await cluster.ensure(path, object);
}
