import type { ControllerReference, StoredSecret } from './secret.ts';

/** What the reference is derived from. */
type Controlled = Pick<StoredSecret, 'type' | 'labels' | 'annotations' | 'controllerOwner'>;

const HELM_RELEASE: ControllerReference = { kind: 'HelmRelease' };

/**
 * The first that applies: the controller owner reference, cert-manager, Helm, Flux, Argo CD. Undefined when none is
 * recognized, which does not prove that nothing else writes the Secret.
 */
export function controllerOf(secret: Controlled): ControllerReference | undefined {
  return (
    secret.controllerOwner ??
    named('Certificate', secret.annotations.get('cert-manager.io/certificate-name')) ??
    helmReleaseOf(secret) ??
    named('Kustomization', secret.labels.get('kustomize.toolkit.fluxcd.io/name')) ??
    named('HelmRelease', secret.labels.get('helm.toolkit.fluxcd.io/name')) ??
    named('Application', argoApplicationOf(secret))
  );
}

/** Helm labels what it installs, and keeps each release in a Secret of a type of its own. */
function helmReleaseOf({ type, labels, annotations }: Controlled): ControllerReference | undefined {
  const isInstalled = labels.get('app.kubernetes.io/managed-by') === 'Helm';
  const release = isInstalled
    ? named('HelmRelease', annotations.get('meta.helm.sh/release-name'))
    : undefined;
  return release ?? (type === 'helm.sh/release.v1' ? HELM_RELEASE : undefined);
}

/**
 * A tracking id is `<application>:<group>/<kind>:<namespace>/<name>`. The instance is a label, or an annotation where
 * Argo CD is configured so.
 */
function argoApplicationOf({ labels, annotations }: Controlled): string | undefined {
  const trackingId = annotations.get('argocd.argoproj.io/tracking-id');
  const instance = 'argocd.argoproj.io/instance';
  return trackingId?.split(':', 1)[0] ?? labels.get(instance) ?? annotations.get(instance);
}

function named(kind: string, name: string | undefined): ControllerReference | undefined {
  return name === undefined || name === '' ? undefined : { kind, name };
}
