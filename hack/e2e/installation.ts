import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Manifest } from '../manifests/rendered.ts';
import type { ClusterApi } from './cluster-api.ts';
import type { KnownKinds } from './kinds.ts';

/** What a service that runs outside needs of an installation, in this order: a binding comes after its role. */
export const RIGHTS = ['ServiceAccount', 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'] as const;

/** Creates the namespaces of the objects, also of those whose namespace is not among them. */
export async function createNamespaces(cluster: ClusterApi, manifests: readonly Manifest[]): Promise<void> {
  const given = new Map(
    manifests.filter(({ kind }) => kind === 'Namespace').map((one) => [one.metadata.name, one]),
  );
  const names = new Set([
    ...given.keys(),
    ...manifests.flatMap(({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace])),
  ]);
  for (const name of names) {
    const plain = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await cluster.insist('POST', '/api/v1/namespaces', given.get(name) ?? plain);
  }
}

/** Creates the account and its rights, as rendered. Their namespaces must be there. */
export async function createRights(
  cluster: ClusterApi,
  kinds: KnownKinds,
  manifests: readonly Manifest[],
): Promise<void> {
  for (const kind of RIGHTS) {
    await createObjects(
      cluster,
      kinds,
      manifests.filter((one) => one.kind === kind),
    );
  }
}

/** Creates objects, in the order in which they are given. */
export async function createObjects(
  cluster: ClusterApi,
  kinds: KnownKinds,
  manifests: readonly Manifest[],
): Promise<void> {
  for (const manifest of manifests) {
    const collection = await kinds.collectionOf(manifest);
    if (collection === undefined) throw new Error(`the cluster does not know the kind ${manifest.kind}`);
    await cluster.insist('POST', collection, manifest);
  }
}

/** The account that the objects run the service as. */
export function accountOf(manifests: readonly Manifest[]): {
  readonly namespace: string;
  readonly name: string;
} {
  const account = manifests.find(({ kind }) => kind === 'ServiceAccount')?.metadata;
  if (account?.namespace === undefined) throw new Error('the manifests hold no ServiceAccount');
  return { namespace: account.namespace, name: account.name };
}

/** Creates the Secret that is in no manifest: its administrator makes it. */
export async function createSigningKey(cluster: ClusterApi, namespace: string): Promise<void> {
  const SESSION_SECRET = Buffer.from(randomBytes(48).toString('base64url')).toString('base64');
  await cluster.insist('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'secrets-management-service' },
    data: { SESSION_SECRET },
  });
}

/** Creates a Secret with a certificate, as `kubectl create secret tls` does. */
export async function createCertificate(
  cluster: ClusterApi,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  files: { readonly cert: string; readonly key: string },
): Promise<void> {
  await cluster.insist('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': readFileSync(files.cert, 'base64'), 'tls.key': readFileSync(files.key, 'base64') },
  });
}
