/** The values of a label whose closed set is declared where the values come from. */
const TEXT = 'text';

/** The values of each label. */
type Labels = Readonly<Record<string, readonly string[] | typeof TEXT>>;

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: Labels;
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

const NO_LABELS = {} as const;

const counter = <const Of extends Labels = typeof NO_LABELS>(help: string, labels = NO_LABELS as Of) =>
  ({ type: 'counter', help, labels }) as const;
const gauge = <const Of extends Labels = typeof NO_LABELS>(help: string, labels = NO_LABELS as Of) =>
  ({ type: 'gauge', help, labels }) as const;
const histogram = <const Of extends Labels>(buckets: readonly number[], help: string, labels: Of) =>
  ({ type: 'histogram', help, labels, buckets }) as const;

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ATTEMPT_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const RECONCILE_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60];

/**
 * The bounds of a replica whose refusals are counted. A test compares `docs/observability.md` with this list. A new bound is
 * a new entry here.
 */
export const BOUNDS = [
  ...['body_structure', 'body_bytes_total', 'body_bytes_person', 'body_slow', 'live_lists'],
  ...['requests_person', 'requests_total', 'requests_wait', 'sign_ins_address', 'sign_ins_total'],
  ...['sign_ins_wait', 'connections', 'connections_address', 'connection_requests', 'answer_stalled'],
] as const;

export type Bound = (typeof BOUNDS)[number];

/**
 * Every metric of the service, in one table; `docs/observability.md` is held to it by a test. Labels take values
 * from closed sets only (route patterns, verbs, codes), never names of namespaces, Secrets or people; the exceptions
 * are the bounded lists of what expires.
 */
export const METRICS = {
  service_http_requests_total: counter('Requests to the API.', { method: TEXT, route: TEXT, status: TEXT }),
  service_http_request_duration_seconds: histogram(REQUEST_SECONDS, 'Time from API request to response.', {
    method: TEXT,
    route: TEXT,
  }),
  service_http_requests_in_flight: gauge('Requests to the API and the pages without a complete response.'),
  service_http_failures_total: counter('API requests that ended in an error.', { route: TEXT, code: TEXT }),
  service_cluster_work: gauge('Requests of users.', { state: ['working', 'waiting_for_client', 'queued'] }),
  service_connections: gauge('Open connections.', { port: ['api', 'operations'], state: ['idle', 'busy'] }),
  service_tls_not_after_seconds: gauge('When the certificate expires, since 1970.', { port: ['api'] }),
  service_tls_reloads_total: counter('Renewals of the certificate.', { outcome: ['loaded', 'failed'] }),
  service_bounds_refused_total: counter('Requests that a bound of this replica refused.', { bound: BOUNDS }),
  service_request_body_bytes: gauge('Bytes of request bodies that are being received or handled.'),
  service_cluster_requests_total: counter('Each attempt.', { verb: TEXT, resource: TEXT, outcome: TEXT }),
  service_cluster_request_duration_seconds: histogram(ATTEMPT_SECONDS, 'Time of each attempt.', {
    verb: TEXT,
    resource: TEXT,
  }),
  service_trace_spans_total: counter('Ended spans.', { outcome: ['exported', 'failed', 'dropped'] }),
  service_sign_ins_total: counter('Attempts to sign in.', {
    step: ['login', 'callback', 'terminal'],
    outcome: TEXT,
  }),
  service_userinfo_reads_total: counter('Logins that requested UserInfo.', { outcome: TEXT }),
  service_machine_tokens_total: counter('Checks of tokens of machines.', { issuer: TEXT, outcome: TEXT }),
  service_issuer_keys_age_seconds: gauge('Time since the keys of an issuer were fetched.', { issuer: TEXT }),
  service_machine_policies: gauge('Policies that bind machines.', { state: ['valid', 'malformed'] }),
  service_auth_disabled: gauge('1 while AUTH_DISABLED makes every request an administrator.'),
  service_signing_key_valid: gauge('1 if sign-in has a usable SESSION_SECRET or needs none.'),
  service_former_signing_key: gauge('1 while sessions of SESSION_SECRET_PREVIOUS are accepted.'),
  service_session_revocations: gauge('Entries that end sessions.', { state: ['effective', 'malformed'] }),
  service_ready: gauge('1 if the check passed when readiness was last probed.', { check: TEXT }),
  service_leader: gauge('1 while this replica reconciles the history.'),
  service_history_snapshots: gauge('History objects.', { state: ['bound', 'orphaned', 'inconsistent'] }),
  service_history_steps_total: counter('What the reconciler did to history objects.', { step: TEXT }),
  service_history_expiry_postponed_total: counter('Orphans left alone, since the clocks disagree.'),
  service_reconcile_total: counter("Reconciles of one Secret's history.", { outcome: TEXT }),
  service_reconcile_duration_seconds: histogram(RECONCILE_SECONDS, 'Time of one reconcile.', {}),
  service_reconcile_queue_depth: gauge('Keys that wait to be reconciled.'),
  service_reconcile_queue_age_seconds: gauge('How long the first of these keys has waited.'),
  service_watch_events_total: counter('Events that watches brought.', { informer: TEXT, kind: TEXT }),
  service_watch_relists_total: counter('Complete lists behind watches.', { informer: TEXT, reason: TEXT }),
  service_watch_silence_seconds: gauge('Age of the last byte of the most silent watch.', { informer: TEXT }),
  service_watches: gauge('Watches: one, or one for each namespace in scope.', { informer: TEXT }),
  service_watch_rights_missing: gauge('Watches that lack an RBAC permission.', { informer: TEXT }),
  service_storage_restores_total: counter("How often the cluster's storage was restored from a backup."),
  service_list_answers_total: counter('Lists.', { source: ['cache', 'live', 'refused'], reason: TEXT }),
  service_list_answers_kept_bytes: gauge('Serialized lists that are kept for repeated lists.'),
  service_list_pages_kept_bytes: gauge('What is kept for further pages of lists.'),
  service_cache_synced: gauge('1 once every part of the cache has held a whole list.', { cache: TEXT }),
  service_cache_objects: gauge('Objects in the cache.', { cache: TEXT }),
  service_cache_bytes: gauge('What the objects take of the heap, nearly.', { cache: TEXT }),
  service_cache_namespaces_over_budget: gauge('Namespaces that take too much memory to be listed.'),
  service_cache_checks_total: counter('Comparisons of the cache with the cluster.', {
    cache: TEXT,
    result: ['same', 'different', 'failed'],
  }),
  service_certificate_not_after_seconds: gauge('Expiry of those that expire first, since 1970.', {
    namespace: TEXT,
    name: TEXT,
  }),
  service_secret_expiry_timestamp_seconds: gauge('Expiry of those that expire first, since 1970.', {
    namespace: TEXT,
    secret: TEXT,
    kind: ['certificate', 'value', 'declared', 'rotation'],
  }),
  service_expiry_annotations_malformed: gauge('Secrets whose expiry or period of rotation cannot be read.'),
  service_memory_limit_bytes: gauge('What the process and its heap may use.', { of: ['process', 'heap'] }),
  service_build_info: gauge('Always 1; the version is in the label.', { version: TEXT }),
};

type Table = typeof METRICS;

/** The names of the metrics of a type. */
export type NameOf<Type extends Metric['type']> = {
  [Name in keyof Table]: Table[Name]['type'] extends Type ? Name : never;
}[keyof Table];

/** The labels of a metric, each with one of its values. */
export type LabelsOf<Name extends keyof Table> = {
  readonly [
    Label in keyof Table[Name]['labels']
  ]: Table[Name]['labels'][Label] extends readonly (infer Value extends string)[] ? Value : string;
};
