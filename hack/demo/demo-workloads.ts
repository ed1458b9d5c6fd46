interface DemoWorkload {
  /** Where it is created. */
  readonly path: string;
  readonly object: object;
}

const IMAGE = 'registry.example.com/orders:1.4.2';

/** Workloads that use the demo Secrets in each way; nothing runs them, and rollouts are only played. */
export function demoWorkloads(): readonly DemoWorkload[] {
  return [
    // By variables: the pods keep the old values until they are restarted.
    inTeamA('deployments', 'orders-api', {
      containers: [container('api', { env: [variable('DATABASE_PASSWORD', 'database', 'password')] })],
    }),
    // By files: these follow a change by themselves, after a while.
    inTeamA('deployments', 'orders-web', {
      containers: [container('web', { volumeMounts: [{ name: 'keystore', mountPath: '/etc/keystore' }] })],
      volumes: [{ name: 'keystore', secret: { secretName: 'keystore' } }],
    }),
    inTeamA('statefulsets', 'orders-worker', {
      containers: [container('worker', { envFrom: [{ secretRef: { name: 'database' } }] })],
    }),
    cronJob('team-a', 'orders-report', {
      restartPolicy: 'Never',
      containers: [container('report', { env: [variable('DATABASE_PASSWORD', 'database', 'password')] })],
    }),
    workload('team-b', 'daemonsets', 'node-agent', {
      imagePullSecrets: [{ name: 'registry' }],
      containers: [container('agent')],
    }),
  ];
}

function inTeamA(resource: 'deployments' | 'statefulsets', name: string, podSpec: object): DemoWorkload {
  return workload('team-a', resource, name, podSpec);
}

function workload(namespace: string, resource: string, name: string, podSpec: object): DemoWorkload {
  const labels = { app: name };
  return {
    path: `/apis/apps/v1/namespaces/${namespace}/${resource}`,
    object: {
      metadata: { name, labels },
      spec: {
        ...(resource !== 'daemonsets' && { replicas: 3 }),
        ...(resource === 'statefulsets' && { serviceName: name }),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec },
      },
    },
  };
}

function cronJob(namespace: string, name: string, podSpec: object): DemoWorkload {
  const jobTemplate = { spec: { template: { spec: podSpec } } };
  return {
    path: `/apis/batch/v1/namespaces/${namespace}/cronjobs`,
    object: { metadata: { name }, spec: { schedule: '0 6 * * *', jobTemplate } },
  };
}

function container(name: string, more: object = {}): object {
  return { name, image: IMAGE, ...more };
}

function variable(name: string, secret: string, key: string): object {
  return { name, valueFrom: { secretKeyRef: { name: secret, key } } };
}
