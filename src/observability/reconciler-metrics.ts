import type { MetricMakers } from './metric-makers.ts';

/** Metrics of the replica that reconciles the history. */
export interface ReconcilerMetrics {
  setLeader(leads: boolean): void;
  setSnapshots(statistics: Readonly<Record<'bound' | 'orphaned' | 'inconsistent', number>>): void;
  countStep(step: string): void;
  countPostponedExpiry(): void;
  observeReconcile(outcome: string, seconds: number): void;
  setQueue(depth: number, oldestAgeSeconds: number): void;
}

export function createReconcilerMetrics({ counter, gauge, histogram }: MetricMakers): ReconcilerMetrics {
  const leader = gauge('service_leader');
  const snapshots = gauge('service_history_snapshots');
  const steps = counter('service_history_steps_total');
  const postponed = counter('service_history_expiry_postponed_total');
  const reconciles = counter('service_reconcile_total');
  const durations = histogram('service_reconcile_duration_seconds');
  const depth = gauge('service_reconcile_queue_depth');
  const age = gauge('service_reconcile_queue_age_seconds');
  return {
    setLeader(leads) {
      leader.set(leads ? 1 : 0);
    },
    setSnapshots(statistics) {
      for (const [state, count] of Object.entries(statistics)) snapshots.set({ state }, count);
    },
    countStep(step) {
      steps.inc({ step });
    },
    countPostponedExpiry() {
      postponed.inc();
    },
    observeReconcile(outcome, seconds) {
      reconciles.inc({ outcome });
      durations.observe(seconds);
    },
    setQueue(keys, oldestAgeSeconds) {
      depth.set(keys);
      age.set(oldestAgeSeconds);
    },
  };
}
