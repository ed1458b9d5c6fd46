import { createAuthorizer, type Authorizer } from '../../../src/access/authorizer.ts';
import { isServiceError, type ErrorCode } from '../../../src/errors/service-error.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createFakeCluster, type FakeCluster } from '../../fakes/fake-cluster.ts';
import { scopeOf } from '../../fakes/scopes.ts';

export const deadline = unhurriedCall();

export function open(options: { scope?: readonly string[]; namespaces?: readonly string[] } = {}): {
  cluster: FakeCluster;
  authorizer: Authorizer;
} {
  const cluster = createFakeCluster({ namespaces: options.namespaces ?? ['team-a', 'team-b'] });
  const { policies, namespaces } = cluster;
  return { cluster, authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(options.scope) }) };
}

export async function failure(
  work: Promise<unknown>,
): Promise<{ code: ErrorCode; message: string; reason: unknown }> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isServiceError(thrown)) throw new Error('expected a ServiceError', { cause: thrown });
  return { code: thrown.code, message: thrown.message, reason: thrown.reason };
}
