import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A field of an object, in the versions of Kubernetes that have it. Without a bound, all of them do. */
export interface FieldSchema {
  /** `string`, `number`, `boolean`, `any`, `IntOrString`, the name of a model, or `[]` or `{}` and one of these. */
  readonly type: string;
  readonly required?: true;
  readonly since?: string;
  readonly until?: string;
}

/** The schemas that `hack/kubernetes-schemas.ts` extracts. */
export interface KubernetesSchemas {
  readonly source: string;
  readonly licence: string;
  /** From the oldest to the newest. */
  readonly versions: readonly string[];
  /** The version of the source for each version; where there is none, what both neighbours have holds. */
  readonly sources: Readonly<Record<string, string>>;
  /** The model of `apiVersion kind`. */
  readonly kinds: Readonly<Record<string, string>>;
  /** A field has several schemas where versions differ about it. */
  readonly models: Readonly<Record<string, Readonly<Record<string, readonly FieldSchema[]>>>>;
}

/** Kubernetes' versions that the manifests are for. */
export const VERSIONS = ['27', '28', '29', '30', '31', '32', '33', '34', '35', '36'].map(
  (minor) => `1.${minor}`,
);

/** The kinds of Kubernetes' own that are rendered, by the names of their models. */
export const KINDS = {
  'apps/v1 Deployment': 'V1Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler': 'V2HorizontalPodAutoscaler',
  'networking.k8s.io/v1 Ingress': 'V1Ingress',
  'networking.k8s.io/v1 NetworkPolicy': 'V1NetworkPolicy',
  'policy/v1 PodDisruptionBudget': 'V1PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1 ClusterRole': 'V1ClusterRole',
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': 'V1ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1 Role': 'V1Role',
  'rbac.authorization.k8s.io/v1 RoleBinding': 'V1RoleBinding',
  'v1 ConfigMap': 'V1ConfigMap',
  'v1 Namespace': 'V1Namespace',
  'v1 Service': 'V1Service',
  'v1 ServiceAccount': 'V1ServiceAccount',
} as const;

export const SCHEMAS_FILE = path.join(import.meta.dirname, 'kubernetes-schemas.json');

export function readSchemas(): KubernetesSchemas {
  return JSON.parse(readFileSync(SCHEMAS_FILE, 'utf8')) as KubernetesSchemas;
}
