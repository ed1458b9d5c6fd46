import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import type { CallObserver } from '../../../src/cluster/transport/call-record.ts';
import { createCluster, type Cluster } from '../../../src/cluster/cluster.ts';
import { parseCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { draftOf } from '../../fakes/fake-objects.ts';
import type { ClusterFixture } from './cluster-fixture.ts';
import { codec } from '../../fakes/annotations.ts';

/** The real stores before a development cluster of their own, and an administrator's hand in it. */
export interface DevClusterFixture extends ClusterFixture {
  readonly dev: DevCluster;
  readonly cluster: Cluster;
  /** A request of the administrator, who sees what the stores do not show. Fails on a status of 300 or more. */
  admin(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown>;
}

export const POLICY_NAME = 'service-policy';

/** Starts a development cluster on a free port. */
export async function openDevCluster(onCall: CallObserver = () => undefined): Promise<DevClusterFixture> {
  const dev = await startDevCluster({ port: 0 });
  const cluster = createCluster({
    codec,
    credentials: parseCredentials(dev.kubeconfig()),
    policyName: POLICY_NAME,
    onCall,
  });
  const admin = adminOf(dev);
  const secretsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/secrets`;
  let namespaces = 0;
  return {
    dev,
    cluster,
    admin,
    secrets: cluster.secrets,
    policies: cluster.policies,
    namespaces: cluster.namespaces,
    addNamespace: async () => {
      const name = `namespace-${++namespaces}`;
      await admin('POST', '/api/v1/namespaces', { metadata: { name } });
      return name;
    },
    seed: async (seed) => {
      const { namespace, name, type, immutable, labels, annotations, data } = draftOf(seed);
      const values = [...data].map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
      await admin('POST', secretsOf(namespace), {
        metadata: {
          name,
          labels: Object.fromEntries(labels),
          annotations: Object.fromEntries(annotations),
          finalizers: seed.finalizers,
        },
        type,
        immutable,
        data: Object.fromEntries(values),
      });
    },
    release: async ({ namespace, name }) => {
      const patch = { metadata: { finalizers: null } };
      await admin('PATCH', `${secretsOf(namespace)}/${name}`, patch, 'application/merge-patch+json');
    },
    setPolicy: async (namespace, data, binaryData) => {
      const body = { metadata: { name: POLICY_NAME }, data, binaryData };
      await admin('POST', `/api/v1/namespaces/${namespace}/configmaps`, body);
    },
    expireContinueTokens: () => {
      dev.compact();
      return Promise.resolve();
    },
    close: async () => {
      await cluster.close();
      await dev.close();
    },
  };
}

function adminOf({ url, adminToken }: DevCluster): DevClusterFixture['admin'] {
  return async (method, path, body, contentType = 'application/json') => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': contentType },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.status >= 300) throw new Error(`${method} ${path} was answered ${response.status}`);
    return await response.json();
  };
}
