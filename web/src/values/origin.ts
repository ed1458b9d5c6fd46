import { builtInName, isBootstrapToken } from '../../../src/contract/secret-types.ts';
import type { SecretSummary } from '../api/secrets-api.ts';

/** Where a Secret seems to come from, and what that means for whoever wants to change it. */
export interface Origin {
  readonly title: string;
  readonly advice: string;
}

const HELM_RELEASE: Origin = {
  title: "Helm's own record of a release",
  advice:
    'Helm reads it back at the next upgrade or rollback. Change the release with Helm; an edit here can make it unusable.',
};

const BOOTSTRAP_TOKEN: Origin = {
  title: 'A bootstrap token',
  advice: 'New nodes join the cluster with it, and the cluster removes it when it expires.',
};

/**
 * What follows from what the API returns of a Secret: its type, its keys, and whether it is managed here.
 * Labels, annotations and owners would say more, but are not part of the API (docs/pages.md). Undefined:
 * nothing that one should know before a change.
 */
export function originOf(
  secret: Pick<SecretSummary, 'type' | 'keys' | 'managedByService'>,
): Origin | undefined {
  if (secret.type === 'helm.sh/release.v1') return HELM_RELEASE;
  if (isBootstrapToken(secret.type)) return BOOTSTRAP_TOKEN;
  if (secret.managedByService) return undefined;
  if (builtInName(secret.type) === 'tls' && secret.keys.includes('ca.crt')) {
    return {
      title: 'This certificate may be renewed by a tool',
      advice:
        'cert-manager and others keep certificates in this form, with their ca.crt. If one does here, it overwrites your change at the next renewal; the first change here adopts the Secret all the same.',
    };
  }
  return {
    title: 'Not managed by this service yet',
    advice:
      'Something else created this Secret. The first change here adopts it. If a tool such as Helm, Argo CD, External Secrets or Sealed Secrets keeps it up to date, that tool may overwrite your change: change its source instead.',
  };
}
