import type { NamespaceStore } from '../access/namespace-list.ts';
import type { PolicyStore } from '../access/policy.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { WorkloadStore } from '../workloads/ports.ts';
import type { SecretStore } from '../secrets/ports.ts';
import type { ClusterHome } from './credentials/credentials.ts';
import type { Resource } from './objects/resources.ts';
import { createGateway, type Gateway, type GatewayOptions } from './transport/gateway.ts';
import { createNamespaceStore } from './stores/namespace-store.ts';
import { createPolicyStore } from './stores/policy-store.ts';
import { createSecretStore } from './stores/secret-store.ts';
import { createWorkloadStore } from './stores/workload-store.ts';

/** The cluster, as the rest of the service uses it. */
export interface Cluster {
  readonly secrets: SecretStore;
  readonly policies: PolicyStore;
  readonly namespaces: NamespaceStore;
  readonly workloads: WorkloadStore;
  /** For readiness: rejects with a ServiceError when the cluster does not answer or refuses this service. */
  readonly probe: (deadline: Deadline) => Promise<void>;
  /** For lists and watches of other kinds. */
  readonly gateway: Pick<Gateway, 'request' | 'stream' | 'takeTurn' | 'serverNow'>;
  readonly home: ClusterHome;
  /** Cuts all connections. */
  readonly close: () => Promise<void>;
}

export interface ClusterOptions extends GatewayOptions {
  /** Name of the ConfigMap that holds a namespace's policy. */
  readonly policyName: string;
  /** Parses the annotations of each Secret that is read. */
  readonly codec: AnnotationCodec;
}

/**
 * Not a resource, but it is read like one: `/version`. It needs no permission beyond those of every authenticated account (role
 * `system:public-info-viewer`), and it refuses an invalid token.
 */
const VERSION: Resource = { api: '', group: '', plural: 'version' };

/** Makes the stores of one cluster over shared connections; nothing is connected until the first request. */
export function createCluster({ policyName, codec, ...options }: ClusterOptions): Cluster {
  const gateway = createGateway(options);
  return {
    secrets: createSecretStore(gateway, codec),
    policies: createPolicyStore(gateway, policyName),
    namespaces: createNamespaceStore(gateway),
    workloads: createWorkloadStore(gateway),
    probe: async (deadline) => {
      await gateway.request({ verb: 'get', resource: VERSION }, deadline);
    },
    gateway,
    home: options.credentials.home ?? { namespace: undefined, inCluster: false },
    close: () => gateway.close(),
  };
}
