import { createHash } from 'node:crypto';
import type { KubeClient } from './kube-client.ts';

/** The path of a namespace's Secrets, of one of them, or of something below it such as `versions`. */
export function secretsPath(namespace: string, name?: string, below?: string): string {
  return ['/api/namespaces', namespace, 'secrets', name, below]
    .filter((part) => part !== undefined)
    .join('/');
}

/** The name of a snapshot, computed apart from the service's own code; for live names that need no cut. */
export function snapshotNameOf(live: string, version: number, uid: string): string {
  return `${live}.v${version}.${createHash('sha256').update(uid).digest('hex').slice(0, 16)}`;
}

/** Every Secret object of a namespace with its uid and revision: two equal states mean that nothing was written. */
export async function stateOf(kube: KubeClient, namespace: string): Promise<readonly string[]> {
  const secrets = await kube.listSecrets(namespace);
  return secrets
    .map(({ metadata }) => `${metadata.name} ${metadata.uid ?? ''} ${metadata.resourceVersion ?? ''}`)
    .sort();
}

/** A Secret for the cluster API. Values are bytes or text; keys may be any. */
export function nativeSecret(
  name: string,
  values:
    | Readonly<Record<string, string | Uint8Array>>
    | readonly (readonly [string, string | Uint8Array])[] = {},
  more: { readonly type?: string; readonly immutable?: boolean; readonly metadata?: object } = {},
): object {
  const entries = Array.isArray(values)
    ? (values as readonly (readonly [string, string | Uint8Array])[])
    : Object.entries(values);
  const data = Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  const { metadata, ...rest } = more;
  return { metadata: { name, ...metadata }, data, ...rest };
}
