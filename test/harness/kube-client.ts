import { startDeadline } from '../../src/timing/deadline.ts';
import { createGateway, type Gateway } from '../../src/cluster/transport/gateway.ts';
import { loadCredentials } from '../../src/cluster/credentials/credentials.ts';
import type { ClusterRequest } from '../../src/cluster/transport/request.ts';
import { isServiceError } from '../../src/errors/service-error.ts';
import { CONFIG_MAPS, NAMESPACES, SECRETS, type Resource } from '../../src/cluster/objects/resources.ts';

/** A raw object of the cluster API, as far as tests look into it. */
export interface ClusterObject {
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    ownerReferences?: object[];
    deletionTimestamp?: string;
  };
  data?: Record<string, string>;
  type?: string;
  immutable?: boolean;
}

/** What someone with kubectl does outside the service: an administrator's direct access to the cluster. */
export interface KubeClient {
  /** The names of all. */
  listNamespaces(): Promise<readonly string[]>;
  createNamespace(name: string): Promise<void>;
  deleteNamespace(name: string): Promise<void>;
  createServiceAccount(namespace: string, name: string): Promise<void>;
  createSecret(namespace: string, secret: object): Promise<ClusterObject>;
  getSecret(namespace: string, name: string): Promise<ClusterObject | undefined>;
  listSecrets(namespace: string, labelSelector?: string): Promise<readonly ClusterObject[]>;
  /** Replaces without a precondition unless the object carries its resourceVersion. */
  replaceSecret(namespace: string, secret: ClusterObject): Promise<ClusterObject>;
  patchSecret(namespace: string, name: string, mergePatch: object): Promise<ClusterObject>;
  deleteSecret(namespace: string, name: string): Promise<void>;
  /** Of all Secrets of the namespace. */
  removeFinalizers(namespace: string): Promise<void>;
  setPolicy(namespace: string, data: Readonly<Record<string, string>>, name?: string): Promise<void>;
  removePolicy(namespace: string, name?: string): Promise<void>;
  close(): Promise<void>;
}

const BUDGET_MS = 20_000;
const SERVICE_ACCOUNTS: Resource = {
  api: '/api/v1',
  group: '',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
};

type Send = (request: ClusterRequest) => Promise<unknown>;
type List = (request: Omit<ClusterRequest, 'verb'>) => Promise<Iterable<ClusterObject>>;

/** @param kubeconfigFile whose user may do everything that the tests do */
export function createKubeClient(kubeconfigFile: string): KubeClient {
  const gateway: Gateway = createGateway({
    credentials: loadCredentials({ kubeconfig: kubeconfigFile }),
    onCall: () => undefined,
  });
  const send: Send = async (request) => (await gateway.request(request, startDeadline(BUDGET_MS))).body;
  const list: List = async (request) => {
    const { items = [] } = await gateway.request({ ...request, verb: 'list' }, startDeadline(BUDGET_MS));
    return Array.from(items, ([native]) => native as ClusterObject);
  };
  const remove = async (resource: Resource, namespace: string | undefined, name: string): Promise<void> => {
    const place = namespace === undefined ? {} : { namespace };
    await send({ verb: 'delete', resource, ...place, name, body: {} }).catch(orAbsent);
  };
  return {
    async listNamespaces() {
      return [...(await list({ resource: NAMESPACES }))].map(({ metadata }) => metadata.name);
    },
    async createNamespace(name) {
      await send({ verb: 'create', resource: NAMESPACES, body: { metadata: { name } } });
    },
    deleteNamespace: (name) => remove(NAMESPACES, undefined, name),
    async createServiceAccount(namespace, name) {
      await send({ verb: 'create', resource: SERVICE_ACCOUNTS, namespace, body: { metadata: { name } } });
    },
    ...secretCalls(send, list),
    deleteSecret: (namespace, name) => remove(SECRETS, namespace, name),
    async setPolicy(namespace, data, name = 'service-policy') {
      await remove(CONFIG_MAPS, namespace, name);
      await send({ verb: 'create', resource: CONFIG_MAPS, namespace, body: { metadata: { name }, data } });
    },
    removePolicy: (namespace, name = 'service-policy') => remove(CONFIG_MAPS, namespace, name),
    close: () => gateway.close(),
  };
}

function secretCalls(
  send: Send,
  list: List,
): Pick<
  KubeClient,
  'createSecret' | 'getSecret' | 'listSecrets' | 'replaceSecret' | 'patchSecret' | 'removeFinalizers'
> {
  const release = async (namespace: string, name: string): Promise<void> => {
    const body = { metadata: { finalizers: null } };
    const contentType = 'application/merge-patch+json';
    await send({ verb: 'patch', resource: SECRETS, namespace, name, body, contentType }).catch(orAbsent);
  };
  return {
    createSecret: async (namespace, body) =>
      (await send({ verb: 'create', resource: SECRETS, namespace, body })) as ClusterObject,
    getSecret: async (namespace, name) =>
      (await send({ verb: 'get', resource: SECRETS, namespace, name }).catch(orAbsent)) as
        | ClusterObject
        | undefined,
    async listSecrets(namespace, labelSelector) {
      return [...(await list({ resource: SECRETS, namespace, query: { labelSelector } }))];
    },
    replaceSecret: async (namespace, secret) =>
      (await send({
        verb: 'update',
        resource: SECRETS,
        namespace,
        name: secret.metadata.name,
        body: secret,
      })) as ClusterObject,
    patchSecret: async (namespace, name, body) =>
      (await send({
        verb: 'patch',
        resource: SECRETS,
        namespace,
        name,
        body,
        contentType: 'application/merge-patch+json',
      })) as ClusterObject,
    async removeFinalizers(namespace) {
      for (const { metadata } of await list({ resource: SECRETS, namespace, asMetadata: true }))
        if (metadata.finalizers !== undefined) await release(namespace, metadata.name);
    },
  };
}

function orAbsent(error: unknown): undefined {
  if (!isServiceError(error, 'notFound')) throw error;
}
