import { createClusterClient } from '../../hack/demo/cluster-client.ts';
import type { InProcessStack } from '../harness/in-process-stack.ts';

const variable = (secret: string) => ({
  env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: secret, key: 'token' } } }],
});
const mounted = (secret: string) => ({ volumes: [{ name: 'files', secret: { secretName: secret } }] });

/** One workload of each kind that uses the Secret: by variables, by files, for its images, and on a schedule. */
export async function createDemoWorkloads(
  stack: InProcessStack,
  namespace: string,
  secret: string,
): Promise<void> {
  const cluster = createClusterClient(stack.dev.url, stack.dev.adminToken);
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  await cluster.post(`${apps}/deployments`, workload('orders-api', pod(variable(secret)), { replicas: 3 }));
  await cluster.post(`${apps}/deployments`, {
    ...workload('orders-paused', pod(variable(secret)), { paused: true }),
  });
  await cluster.post(`${apps}/statefulsets`, workload('orders-worker', { ...pod(), ...mounted(secret) }));
  await cluster.post(
    `${apps}/daemonsets`,
    workload('node-agent', { ...pod(), imagePullSecrets: [{ name: secret }] }),
  );
  await cluster.post(`/apis/batch/v1/namespaces/${namespace}/cronjobs`, {
    metadata: { name: 'nightly-report' },
    spec: {
      schedule: '0 6 * * *',
      jobTemplate: { spec: { template: { spec: { ...pod(variable(secret)), restartPolicy: 'Never' } } } },
    },
  });
}

function pod(more: object = {}): object {
  return { containers: [{ name: 'main', image: 'registry.example.com/orders:1.4.2', ...more }] };
}

function workload(name: string, podSpec: object, more: object = {}): object {
  const labels = { app: name };
  return {
    metadata: { name, labels },
    spec: {
      ...more,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  };
}

/** Whether the pod template of a workload has the annotation of a restart. */
export async function hasRestartedAt(
  { dev }: InProcessStack,
  namespace: string,
  resource: string,
  name: string,
): Promise<boolean> {
  const response = await fetch(`${dev.url}/apis/apps/v1/namespaces/${namespace}/${resource}/${name}`, {
    headers: { authorization: `Bearer ${dev.adminToken}` },
  });
  const { spec } = (await response.json()) as {
    spec: { template: { metadata: { annotations?: Record<string, string> } } };
  };
  return spec.template.metadata.annotations?.['kubectl.kubernetes.io/restartedAt'] !== undefined;
}
