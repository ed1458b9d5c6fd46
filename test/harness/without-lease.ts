import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findKubeconfig } from '../../src/cluster/credentials/kubeconfig.ts';

/**
 * The same cluster and the same user, but a service that is given this has its Lease in a namespace that does not exist:
 * it can never be had, and a service without it leaves the history alone. On a cluster that others use, the tests'
 * services would otherwise prune what an installation keeps, by limits of their own.
 * @param kubeconfig as KUBECONFIG names it
 * @returns a value for KUBECONFIG. The given files stay where they are, and so keep their credentials to themselves:
 * what is put before them only selects another context.
 */
export function withoutLease(kubeconfig: string, folder: string): string {
  const given = findKubeconfig({ kubeconfig });
  const context = given.getContextObject(given.getCurrentContext());
  if (context === null) throw new Error('the kubeconfig selects no context');
  const { cluster, user } = context;
  const namespace = `absent-${randomBytes(6).toString('hex')}`;
  // So the client library names the context of a pod, whose namespace is the Lease's whatever SERVICE_NAMESPACES says.
  const name = 'inClusterContext';
  const selecting = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster, user, namespace } }],
  };
  const file = join(folder, 'without-lease');
  writeFileSync(file, JSON.stringify(selecting), { mode: 0o600 });
  return [file, kubeconfig].join(delimiter);
}
