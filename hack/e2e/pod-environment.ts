import type { Manifest } from '../manifests/rendered.ts';
import type { ClusterApi } from './cluster-api.ts';

interface Reference {
  readonly name: string;
  readonly key?: string;
  readonly optional?: boolean;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: Reference;
    readonly configMapKeyRef?: Reference;
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

interface Container {
  readonly name: string;
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef?: Reference; readonly secretRef?: Reference }[];
}

type Texts = Readonly<Record<string, string>>;

/** Reads what a reference names. */
type ReadTexts = (kind: 'configmaps' | 'secrets', reference: Reference) => Promise<Texts>;

/**
 * The environment that the kubelet would give the service's container: what the objects of `envFrom` have, the
 * later before the earlier, and before both what `env` has.
 * @throws where a reference that is not optional names what is not there: a pod would say `CreateContainerConfigError`
 */
export async function podEnvironment(cluster: ClusterApi, deployment: Manifest): Promise<Texts> {
  const namespace = deployment.metadata.namespace ?? 'default';
  const { env = [], envFrom = [] } = containerOf(deployment);
  const read = readerOf(cluster, namespace);
  const environment: Record<string, string> = {};
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef !== undefined) Object.assign(environment, await read('configmaps', configMapRef));
    if (secretRef !== undefined) Object.assign(environment, await read('secrets', secretRef));
  }
  for (const variable of env) {
    const value = await valueOf(variable, namespace, read);
    if (value !== undefined) environment[variable.name] = value;
  }
  return environment;
}

function containerOf(deployment: Manifest): Container {
  const { template } = deployment['spec'] as {
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
  const container = template.spec.containers.find(({ name }) => name === 'service');
  if (container === undefined) throw new Error('the Deployment has no container named service');
  return container;
}

function readerOf(cluster: ClusterApi, namespace: string): ReadTexts {
  return async (kind, { name, optional = false }) => {
    const { status, body } = await cluster.send('GET', `/api/v1/namespaces/${namespace}/${kind}/${name}`);
    if (status === 404 && optional) return {};
    if (status >= 300) throw new Error(`the pod needs ${kind}/${name}, and the cluster answered ${status}`);
    const { data = {} } = body as { readonly data?: Texts };
    return kind === 'configmaps' ? data : decoded(data);
  };
}

function decoded(data: Texts): Texts {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

async function valueOf(
  { name, value, valueFrom }: Variable,
  namespace: string,
  read: ReadTexts,
): Promise<string | undefined> {
  if (valueFrom === undefined) return value ?? '';
  const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom;
  if (secretKeyRef !== undefined) return keyOf(await read('secrets', secretKeyRef), secretKeyRef);
  if (configMapKeyRef !== undefined) return keyOf(await read('configmaps', configMapKeyRef), configMapKeyRef);
  if (fieldRef?.fieldPath === 'metadata.namespace') return namespace;
  throw new Error(`the source of ${name} is not supported without a pod`);
}

function keyOf(texts: Texts, { name, key = '', optional = false }: Reference): string | undefined {
  const value = texts[key];
  if (value === undefined && !optional) throw new Error(`the pod needs the key ${key} of ${name}`);
  return value;
}
