import { stringify } from 'yaml';

export interface KubeconfigParts {
  /** Of the cluster, its user and the context. */
  readonly name: string;
  readonly cluster: Readonly<Record<string, unknown>> & { readonly server: string };
  readonly user: object;
  readonly namespace?: string | undefined;
}

/** The text of a kubeconfig with one context. */
export function kubeconfigOf({ name, cluster, user, namespace }: KubeconfigParts): string {
  const context = { cluster: name, user: name, ...(namespace !== undefined && { namespace }) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context }],
    'current-context': name,
  };
  return stringify(config, { lineWidth: 0 });
}

/** How a kubeconfig has a certificate in PEM. */
export function authorityOf(certificate: string | undefined): object {
  if (certificate === undefined) return {};
  return { 'certificate-authority-data': Buffer.from(certificate).toString('base64') };
}
