import { isServiceError } from '../../errors/service-error.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { Gateway } from '../transport/gateway.ts';
import type { ClusterRequest } from '../transport/request.ts';

/**
 * Reads one object. Undefined only if the cluster answered 404 for this object: the gateway gives every other 404
 * another code.
 */
export async function readObject(
  gateway: Pick<Gateway, 'request'>,
  request: Omit<ClusterRequest, 'verb'> & { readonly name: string },
  deadline: Deadline,
): Promise<{ readonly body: unknown } | undefined> {
  try {
    return await gateway.request({ verb: 'get', ...request }, deadline);
  } catch (error) {
    if (isServiceError(error, 'notFound')) return undefined;
    throw error;
  }
}
