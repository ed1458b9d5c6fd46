import { parseManifests, readRendered, type Manifest } from '../../../hack/manifests/rendered.ts';
import {
  COMBINATIONS,
  OVERLAYS,
  PUBLISHED,
  RENDERINGS,
  type Rendering,
} from '../../../hack/manifests/renderings.ts';

const objectsOf = ({ file }: Rendering): readonly Manifest[] => parseManifests(readRendered(file));

/** What each installation consists of: the base and every overlay of its own. */
export const INSTALLATIONS: ReadonlyMap<string, readonly Manifest[]> = new Map(
  [...PUBLISHED, ...OVERLAYS].map((rendering) => [`kustomize/${rendering.folder}`, objectsOf(rendering)]),
);

/** The objects of every rendering, by its file. */
export const RENDERED: ReadonlyMap<string, readonly Manifest[]> = new Map(
  RENDERINGS.map((rendering) => [rendering.file, objectsOf(rendering)]),
);

export const ALL_COMPONENTS = objectsOf(COMBINATIONS.allComponents);

/** A container, as far as tests look into it. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly {
    readonly configMapRef: { readonly name: string; readonly optional?: boolean };
  }[];
  readonly resources: { readonly requests?: object; readonly limits?: { readonly memory?: string } };
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly object[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
}

export interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly strategy: object;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}

export function ofKind(objects: readonly Manifest[], kind: string): readonly Manifest[] {
  return objects.filter((object) => object.kind === kind);
}

/** The one Deployment of an installation. */
export function deploymentOf(objects: readonly Manifest[]): Deployment {
  const [deployment, ...others] = ofKind(objects, 'Deployment');
  if (deployment === undefined || others.length > 0) throw new Error('there must be one Deployment');
  return deployment as Deployment;
}

export function podOf(objects: readonly Manifest[]): PodSpec {
  return deploymentOf(objects).spec.template.spec;
}

/** The settings that the service's container gets from ConfigMaps, the later ones winning. */
export function settingsOf(objects: readonly Manifest[]): Readonly<Record<string, string>> {
  const service = podOf(objects).containers.find(({ name }) => name === 'service');
  return Object.assign(
    {},
    ...(service?.envFrom ?? []).map(({ configMapRef }) => {
      const map = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name);
      if (map === undefined && configMapRef.optional !== true)
        throw new Error(`there is no ConfigMap ${configMapRef.name}`);
      return map?.['data'] ?? {};
    }),
  ) as Record<string, string>;
}
