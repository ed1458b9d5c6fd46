import { ServiceError } from '../../errors/service-error.ts';

/** A kind of object of the cluster API. */
export interface Resource {
  /** The path of its API, such as `/api/v1`. */
  readonly api: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The name in paths and in Status details. */
  readonly plural: string;
  /** Of one object. That of a list ends in `List`. */
  readonly kind: string;
}

function core(kind: string, plural: string): Resource {
  return { api: '/api/v1', group: '', plural, kind };
}

function grouped(group: string, kind: string, plural: string): Resource {
  return { api: `/apis/${group}/v1`, group, plural, kind };
}

export const SECRETS = core('Secret', 'secrets');
export const CONFIG_MAPS = core('ConfigMap', 'configmaps');
export const NAMESPACES = core('Namespace', 'namespaces');
export const LEASES = grouped('coordination.k8s.io', 'Lease', 'leases');
export const DEPLOYMENTS = grouped('apps', 'Deployment', 'deployments');
export const STATEFUL_SETS = grouped('apps', 'StatefulSet', 'statefulsets');
export const DAEMON_SETS = grouped('apps', 'DaemonSet', 'daemonsets');
export const CRON_JOBS = grouped('batch', 'CronJob', 'cronjobs');
export const SELF_REVIEWS = grouped(
  'authorization.k8s.io',
  'SelfSubjectAccessReview',
  'selfsubjectaccessreviews',
);
export const TOKEN_REVIEWS = grouped('authentication.k8s.io', 'TokenReview', 'tokenreviews');

/** Whether an object is created only to be answered: nothing is stored. */
export const isReview = ({ kind }: Resource): boolean => kind.endsWith('Review');

/**
 * The path of an object, or of a collection when `name` is absent; of all namespaces when `namespace` is. Names were
 * checked before; a segment that could change the path is refused here again.
 */
export function resourcePath(resource: Resource, namespace?: string, name?: string): string {
  const scope = namespace === undefined ? [] : ['namespaces', namespace];
  const segments = [...scope, resource.plural, ...(name === undefined ? [] : [name])];
  return `${resource.api}/${segments.map(safeSegment).join('/')}`;
}

function safeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..' || !segment.isWellFormed()) {
    throw new ServiceError('invalidRequest', 'The name is not valid', { reason: 'pathSegmentRefused' });
  }
  return encodeURIComponent(segment);
}
