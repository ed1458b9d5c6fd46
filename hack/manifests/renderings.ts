/** What is rendered from kustomize/ and kept, so that tests and checks read it without kubectl. */
export interface Rendering {
  readonly file: string;
  /** The folder below kustomize/ that is rendered. */
  readonly folder: string;
  /** With these components, and in another namespace, as an overlay outside the checkout would have it. */
  readonly overlay?: { readonly components: readonly string[]; readonly namespace?: string };
}

/** `restart-rights` changes what the others add, and so stands last. It includes `consumers-rights`. */
const COMPONENTS = [
  ...['ingress', 'gateway', 'network-policy', 'autoscaling', 'monitoring', 'token-review'],
  'restart-rights',
];
const DATA = 'test/data/rendered';

/** What people install without kustomize: applied before there are settings, it says which are missing. */
const PUBLISHED_OVERLAY = { components: ['wait-for-settings'] } as const;
export const PUBLISHED = [
  { file: 'manifests/install.yaml', folder: 'base', overlay: PUBLISHED_OVERLAY },
  { file: 'manifests/install-namespaced.yaml', folder: 'overlays/namespaced', overlay: PUBLISHED_OVERLAY },
] as const satisfies readonly Rendering[];

/** The overlays, each an installation of its own. */
export const OVERLAYS = [
  { file: `${DATA}/production.yaml`, folder: 'overlays/production' },
  { file: `${DATA}/e2e.yaml`, folder: 'overlays/e2e' },
  { file: `${DATA}/kind-gateway.yaml`, folder: 'overlays/kind-gateway' },
] as const satisfies readonly Rendering[];

/** The base and the namespaced overlay with the components that change or extend them. */
export const COMBINATIONS = {
  allComponents: {
    file: `${DATA}/all-components.yaml`,
    folder: 'base',
    overlay: { components: COMPONENTS },
  },
  elsewhere: {
    file: `${DATA}/elsewhere.yaml`,
    folder: 'base',
    overlay: { components: COMPONENTS, namespace: 'elsewhere' },
  },
  tls: {
    file: `${DATA}/tls.yaml`,
    folder: 'base',
    overlay: { components: ['ingress', 'gateway', 'network-policy', 'tls'] },
  },
  tlsAlone: {
    file: `${DATA}/tls-alone.yaml`,
    folder: 'base',
    overlay: { components: ['tls'] },
  },
  consumers: {
    file: `${DATA}/consumers.yaml`,
    folder: 'base',
    overlay: { components: ['consumers-rights'] },
  },
  tokenReview: {
    file: `${DATA}/token-review.yaml`,
    folder: 'base',
    overlay: { components: ['token-review'] },
  },
  restart: {
    file: `${DATA}/restart.yaml`,
    folder: 'base',
    overlay: { components: ['restart-rights'] },
  },
  namespacedRestart: {
    file: `${DATA}/namespaced-restart.yaml`,
    folder: 'overlays/namespaced',
    overlay: { components: ['restart-rights'] },
  },
} as const satisfies Readonly<Record<string, Rendering>>;

export const RENDERINGS: readonly Rendering[] = [...PUBLISHED, ...OVERLAYS, ...Object.values(COMBINATIONS)];
