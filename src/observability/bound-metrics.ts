import type { MetricMakers } from './metric-makers.ts';

/**
 * The bounds of a replica whose refusals are counted; `docs/metrics.md` lists them, held to this list by a test.
 * A new bound is a new entry here.
 */
export const BOUNDS = [
  'body_structure',
  'body_bytes_total',
  'body_bytes_session',
  'live_lists',
  'version_lists',
  'workload_lists',
] as const;

export type Bound = (typeof BOUNDS)[number];

/** What is counted of requests that a bound refuses, and of what is bounded. */
export interface BoundMetrics {
  readonly countRefusal: (bound: Bound) => void;
  setBodyBytes(bytes: number): void;
}

export function createBoundMetrics({
  counter,
  gauge,
}: Pick<MetricMakers, 'counter' | 'gauge'>): BoundMetrics {
  const bodyBytes = gauge('service_request_body_bytes');
  const refused = counter('service_bounds_refused_total');
  // From the start, so that the first refusal is an increase and not a new series.
  for (const bound of BOUNDS) refused.inc({ bound }, 0);
  return {
    countRefusal: (bound) => {
      refused.inc({ bound });
    },
    setBodyBytes(bytes) {
      bodyBytes.set(bytes);
    },
  };
}
