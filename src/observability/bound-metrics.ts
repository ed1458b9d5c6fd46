import type { MetricMakers } from './metric-makers.ts';

/**
 * The bounds of a replica whose refusals are counted. A test compares `docs/metrics.md` with this list. A new bound is
 * a new entry here.
 */
export const BOUNDS = [
  'body_structure',
  'body_bytes_total',
  'body_bytes_person',
  'body_slow',
  'live_lists',
  'deleted_lists',
  'version_lists',
  'workload_lists',
  'requests_person',
  'requests_total',
  'requests_wait',
  'sign_ins_address',
  'sign_ins_total',
  'sign_ins_wait',
  'connections',
  'connections_address',
  'connection_requests',
  'answer_stalled',
] as const;

export type Bound = (typeof BOUNDS)[number];

/** The requests that work with the cluster, at the moment of a scrape. */
export interface SeatFigures {
  readonly working: number;
  readonly waitingForClient: number;
  readonly queued: number;
}

/** The connections of a port, at the moment of a scrape. */
export interface PortFigures {
  readonly port: 'api' | 'operations';
  readonly unused: number;
  readonly idle: number;
  readonly busy: number;
}

/** Counters of bounds and of the requests that they refuse. */
export interface BoundMetrics {
  readonly countRefusal: (bound: Bound) => void;
  setBodyBytes(bytes: number): void;
  setSeats(figures: SeatFigures): void;
  setConnections(figures: PortFigures): void;
}

export function createBoundMetrics({
  counter,
  gauge,
}: Pick<MetricMakers, 'counter' | 'gauge'>): BoundMetrics {
  const bodyBytes = gauge('service_request_body_bytes');
  const seats = gauge('service_cluster_work');
  const connections = gauge('service_connections');
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
    setSeats({ working, waitingForClient, queued }) {
      seats.set({ state: 'working' }, working);
      seats.set({ state: 'waiting_for_client' }, waitingForClient);
      seats.set({ state: 'queued' }, queued);
    },
    setConnections({ port, unused, idle, busy }) {
      connections.set({ port, state: 'unused' }, unused);
      connections.set({ port, state: 'idle' }, idle);
      connections.set({ port, state: 'busy' }, busy);
    },
  };
}
