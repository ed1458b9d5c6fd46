import type { MetricMakers } from './metric-makers.ts';

/** What is exposed of the certificate that the API port uses. */
export interface TlsMetrics {
  /** A certificate is in use from now on. */
  readonly setNotAfter: (notAfter: Date) => void;
  /** `failed` counts each time that the files were read and could not be used. */
  readonly countReload: (outcome: 'loaded' | 'failed') => void;
}

export function createTlsMetrics({ counter, gauge }: Pick<MetricMakers, 'counter' | 'gauge'>): TlsMetrics {
  const notAfter = gauge('service_tls_not_after_seconds');
  const reloads = counter('service_tls_reloads_total');
  return {
    setNotAfter(date) {
      notAfter.set({ port: 'api' }, Math.floor(date.getTime() / 1_000));
      // From the start, so that the first one is an increase and not a new series.
      for (const outcome of ['loaded', 'failed']) reloads.inc({ outcome }, 0);
    },
    countReload(outcome) {
      reloads.inc({ outcome });
    },
  };
}
