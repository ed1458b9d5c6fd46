import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { FaultRule } from '../../hack/dev-cluster/faults/rule.ts';
import { createClusterClient } from '../../hack/demo/cluster-client.ts';
import { createServiceAccount } from '../../hack/demo/service-account.ts';
import { withoutLease } from '../harness/without-lease.ts';

/** The cluster that is written to: a development cluster in a process of its own, or the one of a kubeconfig. */
export interface TestedCluster {
  readonly adminKubeconfig: string;
  readonly serviceKubeconfig: string;
  /** What only a cluster of our own can be made to do; undefined on another's. */
  readonly disturb: Disturb | undefined;
  close(): Promise<void>;
}

export interface Disturb {
  /** Requests of the service go wrong by this rule; those of the checker never do. */
  fault(rule: FaultRule): Promise<void>;
  heal(): Promise<void>;
  /** The whole server stands still for a while, connections and all. */
  freeze(ms: number): Promise<void>;
}

const ENTRY = new URL('../../hack/dev-cluster/main.ts', import.meta.url).pathname;
const ADMIN_TOKEN = 'dev-token';

/** @param given a kubeconfig whose user may do everything that the run does; empty for a development cluster */
export async function openCluster(folder: string, given: string): Promise<TestedCluster> {
  if (given !== '') {
    // The replicas of the run must not compete with an installation's own for its Lease.
    const serviceKubeconfig = withoutLease(given, folder);
    return { adminKubeconfig: given, serviceKubeconfig, disturb: undefined, close: () => Promise.resolve() };
  }
  const adminKubeconfig = join(folder, 'admin');
  const serviceKubeconfig = join(folder, 'service');
  const child = spawn(process.execPath, [ENTRY, '--port', '0', '--kubeconfig', adminKubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  const account = await createServiceAccount(createClusterClient(url, ADMIN_TOKEN), url);
  writeFileSync(serviceKubeconfig, account, { mode: 0o600 });
  return {
    adminKubeconfig,
    serviceKubeconfig,
    disturb: createDisturb(url, child),
    async close() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the development cluster has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = line.split(' ').at(-1) ?? '';
  if (!URL.canParse(url)) throw new Error('the development cluster did not say where it listens');
  return url;
}

function createDisturb(url: string, child: ChildProcess): Disturb {
  const faults = async (method: 'POST' | 'DELETE', rule?: FaultRule): Promise<void> => {
    const response = await fetch(`${url}/_dev/faults`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(rule === undefined ? {} : { body: JSON.stringify(rule) }),
    });
    if (!response.ok) throw new Error(`the development cluster answered ${response.status} about faults`);
  };
  return {
    fault: (rule) => faults('POST', rule),
    heal: () => faults('DELETE'),
    async freeze(ms) {
      child.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill('SIGCONT');
    },
  };
}
