import { describe, expect, it } from 'vitest';
import { controllerOf } from '../../../src/kube/controller-reference.ts';

type Texts = Readonly<Record<string, string>>;

const CERTIFICATE = { 'cert-manager.io/certificate-name': 'web' };
const HELM_LABEL = { 'app.kubernetes.io/managed-by': 'Helm' };
const HELM_RELEASE = { 'meta.helm.sh/release-name': 'shop' };
const FLUX_KUSTOMIZATION = { 'kustomize.toolkit.fluxcd.io/name': 'apps' };
const FLUX_RELEASE = { 'helm.toolkit.fluxcd.io/name': 'cache' };
const ARGO_ID = { 'argocd.argoproj.io/tracking-id': 'orders:/Secret:team-a/db' };
const ARGO_INSTANCE = { 'argocd.argoproj.io/instance': 'payments' };

function secret(annotations: Texts = {}, labels: Texts = {}, type = 'Opaque') {
  const texts = (from: Texts) => new Map(Object.entries(from));
  return { type, labels: texts(labels), annotations: texts(annotations), controllerOwner: undefined };
}

describe('who writes a Secret', () => {
  it.each([
    ['cert-manager', secret(CERTIFICATE), { kind: 'Certificate', name: 'web' }],
    ['Helm', secret(HELM_RELEASE, HELM_LABEL), { kind: 'HelmRelease', name: 'shop' }],
    ['Helm itself', secret({}, {}, 'helm.sh/release.v1'), { kind: 'HelmRelease' }],
    ['Flux from a folder', secret({}, FLUX_KUSTOMIZATION), { kind: 'Kustomization', name: 'apps' }],
    ['Flux from a chart', secret({}, FLUX_RELEASE), { kind: 'HelmRelease', name: 'cache' }],
    ['Argo CD by its tracking id', secret(ARGO_ID), { kind: 'Application', name: 'orders' }],
    ['Argo CD by its label', secret({}, ARGO_INSTANCE), { kind: 'Application', name: 'payments' }],
    ['Argo CD by its annotation', secret(ARGO_INSTANCE), { kind: 'Application', name: 'payments' }],
  ])('is %s', (_who, controlled, reference) => {
    expect(controllerOf(controlled)).toEqual(reference);
  });

  it('is the controller owner before everything else', () => {
    const controllerOwner = { kind: 'ExternalSecret', name: 'db' };
    expect(controllerOf({ ...secret({ ...CERTIFICATE, ...ARGO_ID }), controllerOwner })).toBe(
      controllerOwner,
    );
  });

  it('is the first in the order owner, cert-manager, Helm, Flux, Argo CD', () => {
    const labels = { ...HELM_LABEL, ...FLUX_KUSTOMIZATION, ...FLUX_RELEASE, ...ARGO_INSTANCE };
    const annotations = { ...CERTIFICATE, ...HELM_RELEASE, ...ARGO_ID };
    const without = (...names: readonly string[]) =>
      secret(
        Object.fromEntries(Object.entries(annotations).filter(([name]) => !names.includes(name))),
        Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name))),
      );
    const removed: string[] = [];
    const order: (string | undefined)[] = [];
    for (const next of [
      CERTIFICATE,
      HELM_RELEASE,
      FLUX_KUSTOMIZATION,
      FLUX_RELEASE,
      ARGO_ID,
      ARGO_INSTANCE,
    ]) {
      order.push(controllerOf(without(...removed))?.name);
      removed.push(...Object.keys(next));
    }
    expect(order).toEqual(['web', 'shop', 'apps', 'cache', 'orders', 'payments']);
    expect(controllerOf(without(...removed))).toBeUndefined();
  });

  it.each([
    ['nothing is known of it', secret()],
    [
      'the values are empty',
      secret({ 'cert-manager.io/certificate-name': '', ...{ 'argocd.argoproj.io/tracking-id': '' } }),
    ],
    ['another tool manages it', secret(HELM_RELEASE, { 'app.kubernetes.io/managed-by': 'helmfile' })],
    ['Helm names no release', secret({}, HELM_LABEL)],
    ['labels are annotations and annotations labels', secret(FLUX_KUSTOMIZATION, CERTIFICATE)],
  ])('is not given when %s', (_when, controlled) => {
    expect(controllerOf(controlled)).toBeUndefined();
  });
});
