import type { Deadline } from '../timing/deadline.ts';
import type { Gateway } from './transport/gateway.ts';
import type { Resource } from './stores/resources.ts';

/** Not a resource, but it is read like one: `/version`. */
const VERSION: Resource = { api: '', group: '', plural: 'version' };

/**
 * Checks that the cluster API answers and accepts the service's credentials. `/version` needs no permission beyond
 * those of every authenticated account (role `system:public-info-viewer`), and it refuses an invalid token.
 * @throws {ServiceError} when it does not
 */
export async function probeCluster(gateway: Pick<Gateway, 'request'>, deadline: Deadline): Promise<void> {
  await gateway.request({ verb: 'get', resource: VERSION }, deadline);
}
