import type { MetricMakers } from './metric-makers.ts';

/** The state of a cache at the moment of a scrape. */
export interface CacheFigures {
  readonly cache: string;
  readonly synced: boolean;
  readonly objects: number;
  readonly bytes: number;
}

export interface CertificateFigures {
  readonly namespace: string;
  readonly name: string;
  /** Seconds since 1970. */
  readonly notAfter: number;
}

/** Metrics of lists and of their caches. */
export interface ListMetrics {
  /** `reason` is why a list was live or refused; empty for a list from the cache. */
  countAnswer(source: 'cache' | 'live' | 'refused', reason: string): void;
  countCheck(cache: string, result: string): void;
  setCache(figures: CacheFigures): void;
  /** Namespaces of whose Secrets the metadata alone is held. */
  setReducedNamespaces(count: number): void;
  setKeptBytes(bytes: number): void;
  /** What is kept for further pages of lists. */
  setKeptPageBytes(bytes: number): void;
  /** Replaces all certificates of the exposition before. */
  setCertificates(certificates: readonly CertificateFigures[]): void;
}

export function createListMetrics({ counter, gauge }: Pick<MetricMakers, 'counter' | 'gauge'>): ListMetrics {
  const answers = counter('service_list_answers_total');
  const checks = counter('service_cache_checks_total');
  const keptBytes = gauge('service_list_answers_kept_bytes');
  const keptPageBytes = gauge('service_list_pages_kept_bytes');
  const reduced = gauge('service_cache_namespaces_over_budget');
  const synced = gauge('service_cache_synced');
  const objects = gauge('service_cache_objects');
  const bytes = gauge('service_cache_bytes');
  const certificates = gauge('service_certificate_not_after_seconds');
  return {
    countAnswer(source, reason) {
      answers.inc({ source, reason });
    },
    countCheck(cache, result) {
      checks.inc({ cache, result });
    },
    setCache(figures) {
      const { cache } = figures;
      synced.set({ cache }, figures.synced ? 1 : 0);
      objects.set({ cache }, figures.objects);
      bytes.set({ cache }, figures.bytes);
    },
    setReducedNamespaces(count) {
      reduced.set(count);
    },
    setKeptBytes(kept) {
      keptBytes.set(kept);
    },
    setKeptPageBytes(kept) {
      keptPageBytes.set(kept);
    },
    setCertificates(expiries) {
      certificates.reset();
      for (const { namespace, name, notAfter } of expiries) certificates.set({ namespace, name }, notAfter);
    },
  };
}
