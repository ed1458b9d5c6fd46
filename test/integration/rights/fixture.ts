import { expect } from 'vitest';
import { createClusterClient, type ClusterClient } from '../../../hack/demo/cluster-client.ts';
import { ensureAccount, kubeconfig, putRights, requestToken } from '../../../hack/demo/service-account.ts';
import type { RightsRule } from '../../../hack/demo/rights.ts';
import { parseManifests, readRendered, type Manifest } from '../../../hack/manifests/rendered.ts';
import { COMBINATIONS } from '../../../hack/manifests/renderings.ts';
import { grantsOf, type Grant } from './grants.ts';
import { CLUSTER_ISSUER, startPod } from '../../harness/pod-token.ts';
import { becomes } from '../replicas.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';

/** One way to install the service. */
export interface Installation {
  readonly manifests: readonly Manifest[];
  readonly grants: readonly Grant[];
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  /** What it does with workloads. */
  readonly workloads: Workloads;
}

export type Workloads = 'none' | 'listed' | 'restarted';

const AUDIENCE = 'secrets-management';
const SETTINGS = /^secrets-management-service-[a-z0-9]{10}$/;
/** The published files, as they are and with components. */
const FILES = {
  'install.yaml': {
    none: 'manifests/install.yaml',
    listed: COMBINATIONS.consumers.file,
    restarted: COMBINATIONS.restart.file,
  },
  'install.yaml with token-review': { none: COMBINATIONS.tokenReview.file },
  'install-namespaced.yaml': {
    none: 'manifests/install-namespaced.yaml',
    restarted: COMBINATIONS.namespacedRestart.file,
  },
} as const;

/** The installation of a published file, as it is or with a component for workloads. */
export function installation<File extends keyof typeof FILES>(
  name: File,
  workloads: keyof (typeof FILES)[File] & Workloads,
): Installation {
  const files: Readonly<Partial<Record<Workloads, string>>> = FILES[name];
  const manifests = parseManifests(readRendered(files[workloads] ?? ''));
  const scope = settingsOf(manifests)['SERVICE_NAMESPACES'];
  return { manifests, grants: grantsOf(manifests), namespaces: scope?.split(','), workloads };
}

/** The settings that an installation comes with, but for those that say where and how it runs. */
function settingsOf(manifests: readonly Manifest[]): Readonly<Record<string, string>> {
  const own = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && SETTINGS.test(metadata.name));
  const settings = own?.['data'] as Record<string, string>;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('SERVICE_')));
}

/** The service with the settings and the rights of an installation, but some, as its pod would have them. */
export async function startInstalled(
  { manifests, grants, namespaces }: Installation,
  ...without: readonly Grant[]
) {
  return startInProcessStack({
    env: {
      ...settingsOf(manifests),
      // The Deployment takes it from the pod.
      POD_NAMESPACE: 'secrets-management',
      // Nothing is missing here, and nothing is to be waited for.
      SERVICE_WAIT_FOR_SETTINGS: 'false',
      SERVICE_HISTORY_LIMIT: '2',
      SERVICE_HISTORY_ORPHAN_TTL: '1ms',
      ...(reviewsTokens(grants) && {
        SERVICE_TRUSTED_ISSUERS: JSON.stringify([
          { name: 'here', kind: 'cluster', issuer: CLUSTER_ISSUER, audience: AUDIENCE },
        ]),
      }),
    },
    kubeconfig: async (dev, server) => {
      const cluster = clientOf({ dev });
      await ensureAccount(cluster);
      for (const name of namespaces ?? []) await cluster.ensure('/api/v1/namespaces', { metadata: { name } });
      await grant(cluster, manifests, ...without);
      // The name of a pod's context: then the Lease is in the installation's own namespace.
      return kubeconfig(server, await requestToken(cluster), 'secrets-management', 'inClusterContext');
    },
  });
}

export function reviewsTokens(grants: readonly Grant[]): boolean {
  return grants.some(({ resource }) => resource === 'tokenreviews');
}

/** A machine without a binding: the cluster is called before that is known. */
export async function sendAsPod(stack: InProcessStack): Promise<void> {
  const pod = { namespace: await stack.namespace(), name: 'job', audience: AUDIENCE };
  const { token } = await startPod(clientOf(stack), pod);
  const answer = await fetch(`${stack.url}/api/namespaces`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(403);
}

/** Resolves once sessions can be checked; requests before that are answered 503. */
export async function whenSessionsAreRead({ opsUrl }: Pick<InProcessStack, 'opsUrl'>): Promise<void> {
  const readiness = async (): Promise<string> => (await fetch(`${opsUrl}/readyz`)).text();
  await becomes(async () => (await readiness()).includes('revocations'), false, 20_000);
}

/** Puts the rights of an installation in place, which takes effect at once. */
export async function grant(
  cluster: ClusterClient,
  manifests: readonly Manifest[],
  ...without: readonly Grant[]
) {
  for (const object of manifests) {
    if (/^(Cluster)?RoleBinding$/.test(object.kind)) await putRights(cluster, object);
    if (/^(Cluster)?Role$/.test(object.kind)) await putRights(cluster, roleWithout(object, without));
  }
}

function roleWithout(role: Manifest, without: readonly Grant[]): Manifest {
  const own = without.filter(({ namespace }) => namespace === role.metadata.namespace);
  const isMeant = ({ apiGroups }: RightsRule, resource: string, verb: string): boolean =>
    own.some((one) => verb === one.verb && resource === one.resource && apiGroups.includes(one.group));
  const rules = (role['rules'] as readonly RightsRule[]).flatMap((rule) =>
    rule.resources.map((resource) => ({
      ...rule,
      resources: [resource],
      verbs: rule.verbs.filter((verb) => !isMeant(rule, resource, verb)),
    })),
  );
  return { ...role, rules: rules.filter(({ verbs }) => verbs.length > 0) };
}

export function clientOf({ dev }: Pick<InProcessStack, 'dev'>): ClusterClient {
  return createClusterClient(dev.url, dev.adminToken);
}
