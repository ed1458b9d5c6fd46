import type { Actor } from '../access/actor.ts';
import { isBootstrapToken } from '../contract/secret-types.ts';
import { ServiceError } from '../errors/service-error.ts';

/** The only namespace from which the cluster reads them. */
const NAMESPACE = 'kube-system';

/**
 * A bootstrap token is a credential for the cluster itself, to join a node for example, and writing such a Secret
 * creates one. Access rules and policies are not enough for that: only administrators write them.
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
