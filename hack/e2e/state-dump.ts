import { existsSync, readFileSync } from 'node:fs';
import type { ClusterApi } from './cluster-api.ts';
import { namespacesOf } from './clean-up.ts';

const KINDS = [
  ['/api/v1', 'secrets'],
  ['/api/v1', 'configmaps'],
  ['/api/v1', 'events'],
  ['/api/v1', 'pods'],
  ['/apis/apps/v1', 'deployments'],
  ['/apis/gateway.networking.k8s.io/v1', 'gateways'],
  ['/apis/coordination.k8s.io/v1', 'leases'],
  ['/apis/rbac.authorization.k8s.io/v1', 'roles'],
  ['/apis/rbac.authorization.k8s.io/v1', 'rolebindings'],
] as const;
const LOG_LINES = 40;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

interface Listed {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** What there is in the namespaces, each on a line: names and conditions, never a value. */
export async function describeState(
  cluster: ClusterApi,
  namespaces: readonly string[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const namespace of namespaces) {
    const objects: string[] = [];
    for (const [api, plural] of KINDS) {
      const { status, body } = await cluster.send('GET', `${api}/namespaces/${namespace}/${plural}`);
      if (status >= 300) continue; // a kind that this cluster does not have
      for (const item of (body as { readonly items: readonly Listed[] }).items)
        objects.push(`${plural}/${item.metadata.name}${conditionsOf(item)}`);
    }
    lines.push(`${namespace}: ${objects.join(', ')}`);
  }
  return lines;
}

/** The same for all namespaces of a run. */
export async function describeRun(cluster: ClusterApi, run: string): Promise<readonly string[]> {
  return describeState(cluster, await namespacesOf(cluster, run));
}

/** The end of a log file, without the finest details. The service's log carries no values, tokens or cookies. */
export function logTail(file: string): readonly string[] {
  if (!existsSync(file)) return ['there is none'];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.filter((line) => !/"level":"(debug|trace)"/.test(line)).slice(-LOG_LINES);
}

function conditionsOf({ status }: Listed): string {
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return '';
  return ` (${conditions.map(({ type, status: is, reason }) => `${type}=${is}${reason === undefined ? '' : ` ${reason}`}`).join(', ')})`;
}
