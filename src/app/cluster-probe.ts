import type { Cluster } from '../cluster/cluster.ts';
import { startDeadline } from '../timing/deadline.ts';
import { PROBE_BUDGET_MS } from './limits.ts';

/** The readiness check of the cluster. Rejects when it does not answer. */
export async function clusterAnswers(cluster: Pick<Cluster, 'probe'>): Promise<boolean> {
  await cluster.probe(startDeadline(PROBE_BUDGET_MS));
  return true;
}
