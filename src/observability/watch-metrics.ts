import type { MetricMakers } from './metric-makers.ts';

/** Metrics of informers. `informer` is a constant name. */
export interface WatchMetrics {
  countEvent(informer: string, kind: string): void;
  countRelist(informer: string, reason: string): void;
  setSilence(informer: string, seconds: number): void;
  /** The number of its watches: one, or one for each namespace in scope. */
  setWatches(informer: string, count: number): void;
  /** One more (1) or one less (-1) watch that is forbidden. */
  addRightMissing(informer: string, change: 1 | -1): void;
  /** The cluster's storage was restored from a backup. */
  countRestore(): void;
}

export function createWatchMetrics({
  counter,
  gauge,
}: Pick<MetricMakers, 'counter' | 'gauge'>): WatchMetrics {
  const events = counter('service_watch_events_total');
  const relists = counter('service_watch_relists_total');
  const silence = gauge('service_watch_silence_seconds');
  const watches = gauge('service_watches');
  const rightsMissing = gauge('service_watch_rights_missing');
  const restores = counter('service_storage_restores_total');
  return {
    countEvent(informer, kind) {
      events.inc({ informer, kind });
    },
    countRelist(informer, reason) {
      relists.inc({ informer, reason });
    },
    setSilence(informer, seconds) {
      silence.set({ informer }, seconds);
    },
    setWatches(informer, count) {
      watches.set({ informer }, count);
    },
    addRightMissing(informer, change) {
      rightsMissing.inc({ informer }, change);
    },
    countRestore() {
      restores.inc();
    },
  };
}
