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
const histogram = <const Of extends Labels>(help: string, labels: Of, buckets: readonly number[]) =>
  ({ type: 'histogram', help, labels, buckets }) as const;

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
  service_http_requests_total: counter('API requests by method, route pattern and status.', {
    method: TEXT,
    route: TEXT,
    status: TEXT,
  }),
  service_http_request_duration_seconds: histogram(
    'Time from request to answer, by method and route pattern.',
    { method: TEXT, route: TEXT },
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ),
  service_http_requests_in_flight: gauge('Requests to the API and the pages that are not answered yet.'),
  service_http_failures_total: counter(
    "API requests that ended in an error, by route pattern and the service's own error code.",
    { route: TEXT, code: TEXT },
  ),
  service_cluster_work: gauge(
    'Requests of people that work with the cluster, by state (working, waiting_for_client, queued).',
    { state: ['working', 'waiting_for_client', 'queued'] },
  ),
  service_connections: gauge('Connections by port (api, operations) and state (idle, busy).', {
    port: ['api', 'operations'],
    state: ['idle', 'busy'],
  }),
  service_tls_not_after_seconds: gauge(
    'When the certificate of a port expires, in seconds since the epoch.',
    { port: ['api'] },
  ),
  service_tls_reloads_total: counter(
    'Renewals of the certificate of the API port by outcome: loaded, or failed, each time the files are read.',
    { outcome: ['loaded', 'failed'] },
  ),
  service_bounds_refused_total: counter('Requests that a bound of this replica refused, by bound.', {
    bound: BOUNDS,
  }),
  service_request_body_bytes: gauge('Bytes of request bodies that are being received or handled.'),
  service_cluster_requests_total: counter(
    'Cluster API requests (each attempt counts) by verb, resource and outcome: the status of an answer, or the code of a failure without a usable one.',
    { verb: TEXT, resource: TEXT, outcome: TEXT },
  ),
  service_cluster_request_duration_seconds: histogram(
    'Time of one attempt at the cluster API, by verb and resource.',
    { verb: TEXT, resource: TEXT },
    [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  service_trace_spans_total: counter(
    'Spans by outcome: exported, failed (the receiver did not take them), or dropped (the queue was full).',
    { outcome: ['exported', 'failed', 'dropped'] },
  ),
  service_sign_ins_total: counter('Sign-in attempts by step (login, callback, terminal) and outcome.', {
    step: ['login', 'callback', 'terminal'],
    outcome: TEXT,
  }),
  service_userinfo_reads_total: counter('Logins that requested UserInfo from the provider, by outcome.', {
    outcome: TEXT,
  }),
  service_machine_tokens_total: counter(
    'Bearer tokens by the name of their issuer (empty if it is not trusted) and outcome.',
    { issuer: TEXT, outcome: TEXT },
  ),
  service_issuer_keys_age_seconds: gauge('Time since the keys of a trusted issuer were fetched.', {
    issuer: TEXT,
  }),
  service_machine_policies: gauge(
    'Namespace policies that bind machines; malformed ones disable the machines of their namespace.',
    { state: ['valid', 'malformed'] },
  ),
  service_auth_disabled: gauge('1 while AUTH_DISABLED makes every request an administrator, otherwise 0.'),
  service_signing_key_valid: gauge('1 when sign-in has a usable SESSION_SECRET or needs none, otherwise 0.'),
  service_former_signing_key: gauge(
    '1 while sessions of a former signing key (SESSION_SECRET_PREVIOUS) are still accepted, otherwise 0.',
  ),
  service_session_revocations: gauge(
    'Entries that end sessions early, by state: effective, or malformed (which end nothing).',
    { state: ['effective', 'malformed'] },
  ),
  service_ready: gauge(
    'Readiness by check, as the last probe found it: 1 when the check passes, otherwise 0.',
    { check: TEXT },
  ),
  service_leader: gauge('1 while this replica keeps the history in order, otherwise 0.'),
  service_history_snapshots: gauge(
    'History objects by state: bound, orphaned (the live Secret is gone) or inconsistent.',
    { state: ['bound', 'orphaned', 'inconsistent'] },
  ),
  service_history_steps_total: counter('What the reconciler did to history objects, by step.', {
    step: TEXT,
  }),
  service_history_expiry_postponed_total: counter(
    'Reconciles that left orphans alone, since the cluster time and the local clock disagree.',
  ),
  service_reconcile_total: counter('Reconciles by outcome.', { outcome: TEXT }),
  service_reconcile_duration_seconds: histogram(
    'Time of one reconcile.',
    {},
    [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60],
  ),
  service_reconcile_queue_depth: gauge('Keys that wait to be reconciled.'),
  service_reconcile_queue_age_seconds: gauge('How long the first of them has been waiting.'),
  service_watch_events_total: counter('Events that watches brought, by informer and kind.', {
    informer: TEXT,
    kind: TEXT,
  }),
  service_watch_relists_total: counter('Complete lists behind watches, by informer and reason.', {
    informer: TEXT,
    reason: TEXT,
  }),
  service_watch_silence_seconds: gauge(
    'Age of the last byte that the cluster sent to an informer; of its most silent watch, when it has several.',
    { informer: TEXT },
  ),
  service_watches: gauge('Watches that an informer keeps: one, or one for each namespace in scope.', {
    informer: TEXT,
  }),
  service_watch_rights_missing: gauge(
    'Watches of an informer that stand still because an RBAC permission is missing.',
    { informer: TEXT },
  ),
  service_storage_restores_total: counter(
    "How often the cluster's storage was found restored from a backup: everything was dropped and listed again.",
  ),
  service_list_answers_total: counter(
    'Lists by source (cache, live, refused) and why they were live or refused.',
    { source: ['cache', 'live', 'refused'], reason: TEXT },
  ),
  service_list_answers_kept_bytes: gauge('Serialized list answers kept for repeated lists.'),
  service_list_pages_kept_bytes: gauge('What is kept for further pages of lists.'),
  service_cache_synced: gauge('1 once every part of the cache has held a whole list, otherwise 0.', {
    cache: TEXT,
  }),
  service_cache_objects: gauge('Objects in the cache.', { cache: TEXT }),
  service_cache_bytes: gauge(
    'What the objects in the cache take of the heap, nearly; values of Secrets are never kept.',
    { cache: TEXT },
  ),
  service_cache_namespaces_over_budget: gauge(
    'Namespaces whose Secrets take too much memory: their metadata alone is held, and their lists are refused.',
  ),
  service_cache_checks_total: counter(
    'Comparisons of a cache with the cluster, by cache and result (same, different, failed).',
    { cache: TEXT, result: ['same', 'different', 'failed'] },
  ),
  service_certificate_not_after_seconds: gauge(
    'When the certificate of a TLS Secret expires, in seconds since 1970; the 1,000 that expire first.',
    { namespace: TEXT, name: TEXT },
  ),
  service_secret_expiry_timestamp_seconds: gauge(
    'With SERVICE_EXPIRY_METRICS: when a Secret expires by kind (certificate, value, declared, rotation), in seconds since 1970; of the 1,000 Secrets that expire first.',
    { namespace: TEXT, secret: TEXT, kind: ['certificate', 'value', 'declared', 'rotation'] },
  ),
  service_expiry_annotations_malformed: gauge(
    'Secrets whose declared expiry or period of rotation cannot be read.',
  ),
  service_memory_limit_bytes: gauge(
    "What may be used: of the process the container's limit or the machine's memory, of the heap V8's limit.",
    { of: ['process', 'heap'] },
  ),
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
