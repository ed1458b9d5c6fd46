/**
 * The bounds of a replica whose refusals are counted. A test compares `docs/observability.md` with this list. A new bound is
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
