import { ServiceError } from '../../errors/service-error.ts';

/** A kind of object of the cluster API. */
export interface Resource {
  /** The path of its API, such as `/api/v1`. */
  readonly api: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The name in paths and in Status details. */
  readonly plural: string;
}

function core(plural: string): Resource {
  return { api: '/api/v1', group: '', plural };
}

function apps(plural: string): Resource {
  return { api: '/apis/apps/v1', group: 'apps', plural };
}

export const SECRETS = core('secrets');
export const CONFIG_MAPS = core('configmaps');
export const NAMESPACES = core('namespaces');
export const LEASES: Resource = {
  api: '/apis/coordination.k8s.io/v1',
  group: 'coordination.k8s.io',
  plural: 'leases',
};
export const DEPLOYMENTS = apps('deployments');
export const STATEFUL_SETS = apps('statefulsets');
export const DAEMON_SETS = apps('daemonsets');
export const CRON_JOBS: Resource = { api: '/apis/batch/v1', group: 'batch', plural: 'cronjobs' };

/**
 * The path of an object, or of a collection when `name` is absent; of all namespaces when `namespace` is. Names were
 * checked before; a segment that could change the path is refused here again.
 */
export function resourcePath(resource: Resource, namespace?: string, name?: string): string {
  const segments = [
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    resource.plural,
    ...(name === undefined ? [] : [name]),
  ];
  return `${resource.api}/${segments.map(safeSegment).join('/')}`;
}

function safeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..' || !segment.isWellFormed()) {
    throw new ServiceError('invalidRequest', 'The name is not valid', { reason: 'pathSegmentRefused' });
  }
  return encodeURIComponent(segment);
}
