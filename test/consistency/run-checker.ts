import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient } from '../harness/kube-client.ts';
import { openCluster } from './cluster.ts';
import { startDisturbances } from './disturbances.ts';
import { randomFrom } from './random.ts';
import { isAcknowledged, type Operation, type Recording } from './recording.ts';
import { startRecorder } from './recorder.ts';
import { startReplicas } from './replica-set.ts';
import { runWorkload } from './workload.ts';

export interface CheckerOptions {
  readonly seed: number;
  /**
   * The run is over when so many operations have been acknowledged, so much time has passed, and each kind of
   * disturbance has happened.
   */
  readonly operations: number;
  readonly seconds: number;
  /** Empty for a development cluster. */
  readonly kubeconfig: string;
  /** The `dist/main.js` of another build that one replica runs, as while an installation is upgraded. */
  readonly otherBuild?: string | undefined;
}

const REPLICAS = 3;
const WRITERS = 12;
const LIMIT = 4;
const ORPHAN_TTL_SECONDS = 20;
/** How late a busy machine may process what it was sent. */
const LATE_MS = 5_000;
/** SERVICE_CACHE_MAX_SILENCE by default, and some time to open another watch. */
const WATCH_LAG_MS = 120_000;
const MAX_LIST_AGE_MS = 90_000;
const ENV = {
  SERVICE_HISTORY_LIMIT: String(LIMIT),
  SERVICE_HISTORY_ORPHAN_TTL: `${ORPHAN_TTL_SECONDS}s`,
  LOG_LEVEL: 'warn',
};

/** Puts a cluster and replicas through a run, and returns what was seen. */
export async function recordRun({
  seed,
  operations,
  seconds,
  kubeconfig,
  otherBuild,
}: CheckerOptions): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const cluster = await openCluster(folder, kubeconfig);
  const kube = createKubeClient(cluster.adminKubeconfig);
  const namespace = `test-${randomBytes(5).toString('hex')}`;
  await kube.createNamespace(namespace);
  const recorder = await startRecorder({
    kubeconfigFile: cluster.adminKubeconfig,
    namespace,
    policyName: 'service-policy',
  });
  const replicas = await startReplicas({
    ...{ count: REPLICAS, kubeconfigFile: cluster.serviceKubeconfig, env: ENV },
    otherBuild,
  });
  const over = new AbortController();
  try {
    const end = performance.now() + seconds * 1_000;
    const disturbances = startDisturbances({
      disturb: cluster.disturb,
      replicas,
      random: randomFrom(seed ^ 0x5bd1e995),
      signal: over.signal,
    });
    const done = await runWorkload({
      ...{ replicas, kube, namespace, random: randomFrom(seed), writers: WRITERS },
      isOver: (acknowledged, everyKind) =>
        acknowledged >= (everyKind ? operations : 3 * operations) &&
        performance.now() >= end &&
        disturbances.hadAll(),
    });
    over.abort();
    await disturbances.ended;
    await recorder.reached(newest(done));
    await recorder.stop();
    const { changes, policies } = recorder;
    const settings = {
      limit: LIMIT,
      orphanTtlMs: ORPHAN_TTL_SECONDS * 1_000,
      lateMs: LATE_MS,
      watchLagMs: WATCH_LAG_MS,
      maxListAgeMs: MAX_LIST_AGE_MS,
    };
    return { changes, policies, operations: done, ...settings };
  } finally {
    over.abort();
    await replicas.stop();
    await kube.deleteNamespace(namespace);
    await kube.close();
    await cluster.close();
    rmSync(folder, { recursive: true });
  }
}

function newest(operations: readonly Operation[]): number {
  return operations.reduce((highest, { answer }) => {
    return answer.kind === 'secret' ? Math.max(highest, answer.revision) : highest;
  }, 0);
}

/** How often each kind of operation was acknowledged, for the one who runs the checker. */
export function tallyOf({ operations }: Recording): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (const operation of operations) {
    const { request, answer } = operation;
    const outcome = isAcknowledged(operation) ? 'acknowledged' : answer.kind;
    tally[`${request.do} ${outcome}`] = (tally[`${request.do} ${outcome}`] ?? 0) + 1;
  }
  return tally;
}
