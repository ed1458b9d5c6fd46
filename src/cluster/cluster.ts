import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { field } from './objects/raw-object.ts';
import { TOKEN_REVIEWS, type Resource } from './objects/resources.ts';
import { createGateway, type Gateway, type GatewayOptions } from './transport/gateway.ts';
import { createNamespaceStore } from './stores/namespace-store.ts';
import { createPolicyStore } from './stores/policy-store.ts';
import { createSecretStore } from './stores/secret-store.ts';
import { createWorkloadStore } from './stores/workload-store.ts';

export { fetchTrusting } from './transport/connections.ts';

/** The cluster, as the rest of the service uses it. */
export type Cluster = ReturnType<typeof createCluster>;

interface ClusterOptions extends GatewayOptions {
  /** Name of the ConfigMap that holds a namespace's policy. */
  readonly policyName: string;
  /** Parses the annotations of each Secret that is read. */
  readonly codec: AnnotationCodec;
}

/**
 * Not a resource, but it is read like one: `/version`. It needs no permission beyond those of every authenticated account (role
 * `system:public-info-viewer`), and it refuses an invalid token.
 */
const VERSION: Resource = { api: '', group: '', plural: 'version', kind: 'Info' };

/** Has the cluster review a token, for one of its audiences. */
export function createTokenReview(gateway: Pick<Gateway, 'request'>) {
  return async (token: string, audience: string, deadline: Deadline) => {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, audiences: [audience] },
    };
    const request = { verb: 'create', resource: TOKEN_REVIEWS, body } as const;
    const reply = await gateway.request(request, deadline).catch(notReviewed);
    const status = field(reply.body, 'status');
    const audiences = field(status, 'audiences');
    if (field(status, 'authenticated') !== true || (field(status, 'error') ?? '') !== '') return undefined;
    const username = field(field(status, 'user'), 'username');
    // A server that does not support audiences names none.
    const named: readonly unknown[] = Array.isArray(audiences) ? audiences : [];
    return { username, audiences: named };
  };
}

/** A review is sent as an object is created, but changes nothing: an outcome that is lost is none. */
function notReviewed(error: unknown): never {
  if (!isServiceError(error, 'uncertain')) throw error;
  const { reason } = error;
  throw new ServiceError('unavailable', 'The cluster is unavailable', {
    ...(reason !== undefined && { reason }),
    cause: error,
  });
}

/** Makes the stores of one cluster over shared connections; nothing is connected until the first request. */
export function createCluster({ policyName, codec, ...options }: ClusterOptions) {
  const gateway = createGateway(options);
  return {
    secrets: createSecretStore(gateway, codec),
    policies: createPolicyStore(gateway, policyName),
    namespaces: createNamespaceStore(gateway),
    workloads: createWorkloadStore(gateway),
    /** For readiness: rejects with a ServiceError when the cluster does not answer or refuses this service. */
    probe: async (deadline: Deadline): Promise<void> => {
      await gateway.request({ verb: 'get', resource: VERSION }, deadline);
    },
    /**
     * Whom a token authenticates, and for which of its audiences; undefined for no one.
     * @throws {ServiceError} when the cluster cannot say
     */
    reviewToken: createTokenReview(gateway),
    /** For lists and watches of other kinds. */
    gateway: gateway as Pick<Gateway, 'request' | 'stream' | 'takeTurn' | 'serverNow'>,
    home: options.credentials.home,
    /** Cuts all connections. */
    close: () => gateway.close(),
  };
}
