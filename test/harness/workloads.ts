import { startDeadline } from '../../src/timing/deadline.ts';
import type { Credentials } from '../../src/cluster/credentials/credentials.ts';
import { createGateway, type Gateway } from '../../src/cluster/transport/gateway.ts';
import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  STATEFUL_SETS,
  type Resource,
} from '../../src/cluster/objects/resources.ts';
import { isServiceError } from '../../src/errors/service-error.ts';

export type WorkloadKind = 'CronJob' | 'DaemonSet' | 'Deployment' | 'StatefulSet';

export const WORKLOAD_KINDS: readonly WorkloadKind[] = ['CronJob', 'DaemonSet', 'Deployment', 'StatefulSet'];

export const RESOURCES: Readonly<Record<WorkloadKind, Resource>> = {
  CronJob: CRON_JOBS,
  DaemonSet: DAEMON_SETS,
  Deployment: DEPLOYMENTS,
  StatefulSet: STATEFUL_SETS,
};

interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

/** A native workload, as far as tests look into it. */
export interface NativeWorkload {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    /** Counts the changes of spec. */
    readonly generation: number;
  };
  readonly spec: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}

/** What someone with kubectl does to workloads, outside the service. */
export interface WorkloadsClient {
  /** Creates a workload whose pods have this spec, beside a container that uses nothing. */
  create(kind: WorkloadKind, name: string, podSpec?: object, more?: object): Promise<NativeWorkload>;
  get(kind: WorkloadKind, name: string): Promise<NativeWorkload | undefined>;
  patch(kind: WorkloadKind, name: string, mergePatch: object): Promise<NativeWorkload>;
  remove(kind: WorkloadKind, name: string): Promise<void>;
  /** When the service has restarted it last, as its pod template says. */
  restartedAt(kind: WorkloadKind, name: string): Promise<string | undefined>;
  /**
   * Every workload with its uid, the number of its spec's changes and its restart: two equal states mean that none was
   * restarted or changed. Not its revision, since controllers write status and annotations whenever they like.
   */
  state(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const BUDGET_MS = 20_000;

/** The workloads of one namespace. @param credentials of someone who may do everything that the tests do */
export function createWorkloadsClient(credentials: Credentials, namespace: string): WorkloadsClient {
  const gateway: Gateway = createGateway({ credentials, onCall: () => undefined });
  const send = async (request: Omit<Parameters<Gateway['request']>[0], 'namespace'>): Promise<unknown> =>
    (await gateway.request({ ...request, namespace }, startDeadline(BUDGET_MS))).body;
  const absentAsUndefined = (error: unknown): undefined => {
    if (!isServiceError(error, 'notFound')) throw error;
  };
  const get: WorkloadsClient['get'] = (kind, name) =>
    send({ verb: 'get', resource: RESOURCES[kind], name }).catch(absentAsUndefined) as Promise<
      NativeWorkload | undefined
    >;
  return {
    get,
    create: async (kind, name, podSpec, more) =>
      (await send({
        verb: 'create',
        resource: RESOURCES[kind],
        body: workloadObject(kind, name, podSpec, more),
      })) as NativeWorkload,
    patch: async (kind, name, body) =>
      (await send({
        verb: 'patch',
        resource: RESOURCES[kind],
        name,
        body,
        contentType: 'application/merge-patch+json',
      })) as NativeWorkload,
    remove: async (kind, name) => {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
      await send({ verb: 'delete', resource: RESOURCES[kind], name, body }).catch(absentAsUndefined);
    },
    async restartedAt(kind, name) {
      const native = await get(kind, name);
      return native === undefined ? undefined : restartOf(native);
    },
    async state() {
      const lists = WORKLOAD_KINDS.map(async (kind) => {
        const request = { verb: 'list', resource: RESOURCES[kind], namespace } as const;
        const { items = [] } = await gateway.request(request, startDeadline(BUDGET_MS));
        return Array.from(items, ([item]) => {
          const native = item as NativeWorkload;
          const { name, uid, generation } = native.metadata;
          return [kind, name, uid, generation, restartOf(native) ?? 'never restarted'].join(' ');
        });
      });
      return (await Promise.all(lists)).flat();
    },
    close: () => gateway.close(),
  };
}

function restartOf({ spec }: NativeWorkload): string | undefined {
  const template = spec.jobTemplate?.spec.template ?? spec.template;
  return template?.metadata?.annotations?.['kubectl.kubernetes.io/restartedAt'];
}

/** A valid object of the kind, for any API server. `more` goes into its spec. */
export function workloadObject(
  kind: WorkloadKind,
  name: string,
  podSpec: object = {},
  more: object = {},
): object {
  const labels = { app: name };
  const pod = { containers: [{ name: 'main', image: 'registry.example.com/main:1' }], ...podSpec };
  const apiVersion = kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
  if (kind === 'CronJob') {
    const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', ...pod } } } };
    return { apiVersion, kind, metadata: { name }, spec: { schedule: '0 0 1 1 *', jobTemplate, ...more } };
  }
  const template = { metadata: { labels }, spec: pod };
  const spec = { selector: { matchLabels: labels }, template, ...more };
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: kind === 'StatefulSet' ? { serviceName: name, ...spec } : spec,
  };
}

/** A container that takes a variable from a Secret. */
export function usingEnv(secret: string): object {
  const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: secret, key: 'key' } } }];
  return { containers: [{ name: 'main', image: 'registry.example.com/main:1', env }] };
}

/** A pod with a volume of a Secret. */
export function usingVolume(secret: string): object {
  return { volumes: [{ name: 'secret', secret: { secretName: secret } }] };
}
