import type { ReconcilerDependencies } from './ports.ts';

const MAX_DIFFERENCE_MS = 3_600_000;

/**
 * The cluster's time while the local clock confirms it: a wrong one would begin or end the time to live of every orphan.
 * Undefined also before the first response of the cluster.
 */
export function createTrustedTime({
  clusterNow,
  wallNow,
  observer,
}: Pick<ReconcilerDependencies, 'clusterNow' | 'wallNow' | 'observer'>): () => number | undefined {
  let disagree = false;
  return () => {
    const now = clusterNow();
    if (now === undefined) return undefined;
    const didAgree = !disagree;
    disagree = Math.abs(now - wallNow()) > MAX_DIFFERENCE_MS;
    if (disagree && didAgree) observer.clocksDisagree();
    return disagree ? undefined : now;
  };
}
