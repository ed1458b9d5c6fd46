import type { Actor } from '../access/actor.ts';
import { isBootstrapToken } from '../contract/secret-types.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Where the cluster takes them from, and nowhere else. */
const NAMESPACE = 'kube-system';

/**
 * A bootstrap token is a credential for the cluster itself, to join a node for instance, and it is made by writing a
 * Secret. Access rules and policies do not give away that much: administrators alone write them.
 * @throws {ServiceError} `forbidden`
 */
export function requireBootstrapTokenRight(
  { admin }: Actor,
  { namespace, type }: { readonly namespace: string; readonly type: string },
): void {
  if (admin || namespace !== NAMESPACE || !isBootstrapToken(type)) return;
  throw new ServiceError('forbidden', `Only an admin may write bootstrap tokens in ${NAMESPACE}`, {
    reason: 'bootstrapTokenNeedsAdmin',
  });
}
