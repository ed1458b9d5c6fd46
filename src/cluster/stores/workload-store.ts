import type { Workload, WorkloadKind, WorkloadStore } from '../../workloads/ports.ts';
import { listPage, readWholeList, type Listing, type Requests } from './objects.ts';
import { decodeIdentity, field, malformed } from '../objects/raw-object.ts';
import { rolloutOf } from '../objects/rollout.ts';
import { CRON_JOBS, DAEMON_SETS, DEPLOYMENTS, STATEFUL_SETS } from '../objects/resources.ts';

const MALFORMED = 'malformedWorkload';

/** The annotation that `kubectl rollout restart` sets: a new template makes the controller replace the pods. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** By kind, with the path of its pod template. */
const KINDS = {
  CronJob: { resource: CRON_JOBS, template: ['spec', 'jobTemplate', 'spec', 'template'] },
  DaemonSet: { resource: DAEMON_SETS, template: ['spec', 'template'] },
  Deployment: { resource: DEPLOYMENTS, template: ['spec', 'template'] },
  StatefulSet: { resource: STATEFUL_SETS, template: ['spec', 'template'] },
} as const satisfies Readonly<Record<WorkloadKind, object>>;

/** Workloads in the cluster, always live. */
export function createWorkloadStore(gateway: Requests): WorkloadStore {
  return {
    listPage: (kind, namespace, page, deadline) =>
      listPage(gateway, listingOf(kind, namespace), page, deadline),
    read: async ({ kind, namespace, name }, deadline) => {
      // A list with one item, so that the permission to list workloads is sufficient.
      const query = { fieldSelector: `metadata.name=${name}` };
      const found = await readWholeList(gateway, { ...listingOf(kind, namespace), query }, deadline);
      if (found.length > 1 || found.some((workload) => workload.name !== name)) throw malformed(MALFORMED);
      return found[0];
    },
    restart: async ({ kind, namespace, name, uid, resourceVersion }, at, deadline) => {
      const { resource, template } = KINDS[kind];
      const annotation = { metadata: { annotations: { [RESTARTED_AT]: at.toISOString() } } };
      // The uid and the resourceVersion in the body are preconditions.
      const body = { metadata: { uid, resourceVersion }, ...within(template, annotation) };
      const contentType = 'application/merge-patch+json';
      await gateway.request({ verb: 'patch', resource, namespace, name, body, contentType }, deadline);
    },
  };
}

function listingOf(kind: WorkloadKind, namespace: string): Listing<Workload> {
  const decode = (native: unknown) => decodeWorkload(native, kind, namespace);
  return { resource: KINDS[kind].resource, namespace, decode };
}

function within(path: readonly string[], value: object): object {
  return path.reduceRight<object>((inner, name) => ({ [name]: inner }), value);
}

function decodeWorkload(native: unknown, kind: WorkloadKind, namespace: string): Workload {
  const identity = decodeIdentity(native, kind, MALFORMED);
  if (identity.namespace !== namespace) throw malformed(MALFORMED);
  const template = KINDS[kind].template.reduce<unknown>(field, native);
  return {
    kind,
    ...identity,
    rollout: rolloutOf(kind, native),
    paused: field(field(native, 'spec'), 'paused') === true,
    podSpec: field(template, 'spec'),
  };
}
