import type { ClusterApi } from '../../hack/e2e/cluster-api.ts';
import type { Manifest } from '../../hack/manifests/rendered.ts';

interface Reference {
  readonly name: string;
  readonly optional?: boolean;
}

interface ServiceContainer {
  readonly name: string;
  readonly envFrom: readonly { readonly configMapRef: Reference }[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: {
      readonly secretKeyRef?: Reference & { readonly key: string };
      readonly fieldRef?: { readonly fieldPath: string };
    };
  }[];
}

/**
 * The environment that a kubelet would give the service's container, with the objects that are in the cluster now. A
 * reference that is not optional to an object that does not exist is an error, as the pod would not start.
 */
export async function podEnvironment(
  cluster: ClusterApi,
  deployment: Manifest,
): Promise<Readonly<Record<string, string>>> {
  const { namespace = '' } = deployment.metadata;
  const { containers } = (deployment['spec'] as { template: { spec: { containers: ServiceContainer[] } } })
    .template.spec;
  const service = containers.find(({ name }) => name === 'service');
  const environment: Record<string, string> = {};
  const dataOf = async (plural: string, { name, optional = false }: Reference) => {
    const { status, body } = await cluster.send('GET', `/api/v1/namespaces/${namespace}/${plural}/${name}`);
    if (status === 200) return (body as { data?: Record<string, string> }).data ?? {};
    if (status === 404 && optional) return {};
    throw new Error(`the pod would not start: ${plural} ${name}: ${status}`);
  };
  for (const { configMapRef } of service?.envFrom ?? []) {
    Object.assign(environment, await dataOf('configmaps', configMapRef));
  }
  for (const { name, value, valueFrom } of service?.env ?? []) {
    const { secretKeyRef, fieldRef } = valueFrom ?? {};
    if (value !== undefined) environment[name] = value;
    if (fieldRef !== undefined) environment[name] = namespace;
    if (secretKeyRef === undefined) continue;
    const encoded = (await dataOf('secrets', secretKeyRef))[secretKeyRef.key];
    if (encoded !== undefined) environment[name] = Buffer.from(encoded, 'base64').toString('utf8');
  }
  return environment;
}
