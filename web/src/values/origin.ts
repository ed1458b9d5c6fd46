import { isBootstrapToken } from '../../../src/contract/secret-types.ts';
import type { SecretSummary } from '../api/secrets-api.ts';
import { isolated } from './format.ts';

/** What overwrites an edit, and what to change instead, by the kind of the controller; `*` is its object. */
const ADVICE = new Map(
  Object.entries({
    HelmRelease: 'Its next upgrade overwrites an edit here. Change the values of * instead.',
    Kustomization: 'Flux overwrites an edit here within minutes. Change the source in Git of * instead.',
    Application: 'Argo CD overwrites an edit here with its next sync. Change the source in Git of * instead.',
    Certificate: 'cert-manager overwrites an edit here when it renews the certificate. Change * instead.',
    ExternalSecret:
      'External Secrets overwrites an edit here with its next refresh. Change the value in the store of * instead.',
    SealedSecret: 'Sealed Secrets overwrites an edit here. Seal the new values, and apply * instead.',
    VaultStaticSecret:
      'The Vault Secrets Operator overwrites an edit here with its next refresh. Change the value in Vault of * instead.',
    VaultDynamicSecret:
      'The Vault Secrets Operator replaces these credentials before they expire. Change * instead.',
  }),
);
const OTHER_ADVICE = 'Its controller may overwrite an edit here. Change * instead.';

/** What someone should read before they change a Secret. */
export interface Origin {
  readonly title: string;
  readonly advice: string;
  /** A change is likely to be lost. */
  readonly isOverwritten: boolean;
}

/** What people call a controller: Helm has releases, whoever makes them. */
export function controllerOf({ kind, name = '' }: NonNullable<SecretSummary['controlledBy']>): string {
  return `${kind === 'HelmRelease' ? 'Helm release' : kind} ${isolated(name)}`.trim();
}

/** Who writes a Secret, as far as the service recognizes it; undefined if that is this service alone. */
export function originOf(
  secret: Pick<SecretSummary, 'type' | 'controlledBy' | 'managedByService'>,
): Origin | undefined {
  const { type, controlledBy, managedByService } = secret;
  if (type === 'helm.sh/release.v1') {
    return {
      title: "Helm's own record of a release",
      advice:
        'Helm reads it at the next upgrade or rollback. Change the release with Helm; an edit here can make it unusable.',
      isOverwritten: true,
    };
  }
  if (controlledBy !== undefined) {
    const object = controllerOf(controlledBy);
    return {
      title: `Written by ${object}`,
      advice: (ADVICE.get(controlledBy.kind) ?? OTHER_ADVICE).replace('*', () => object),
      isOverwritten: true,
    };
  }
  if (isBootstrapToken(type)) {
    return {
      title: 'A bootstrap token',
      advice: 'New nodes join the cluster with it, and the cluster removes it when it expires.',
      isOverwritten: false,
    };
  }
  if (managedByService) return undefined;
  return {
    title: 'Created outside this service',
    advice: 'No controller is recognized. Saving here adopts the Secret: it gets a version and a history.',
    isOverwritten: false,
  };
}
