import type { Deadline } from '../timing/deadline.ts';
import type { Gateway } from './transport/gateway.ts';
import type { Resource } from './stores/resources.ts';

/** Not a resource, but read like one: `/version`. */
const VERSION: Resource = { api: '', group: '', plural: 'version' };

/**
 * Makes sure that the cluster API answers and takes the service's credentials. `/version` needs no right beyond
 * those that every signed-in account has (role `system:public-info-viewer`), and refuses an invalid token.
 * @throws {ServiceError} when it does not
 */
export async function probeCluster(gateway: Pick<Gateway, 'request'>, deadline: Deadline): Promise<void> {
  await gateway.request({ verb: 'get', resource: VERSION }, deadline);
}
