import { BOUNDS } from './bounds.ts';

/** The values of a label whose closed set is declared where the values come from. */
const TEXT = 'text';

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The values of each label. */
  readonly labels: Readonly<Record<string, readonly string[] | typeof TEXT>>;
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/**
 * Every metric of the service, in one table; `docs/observability.md` is held to it by a test. Labels take values
 * from closed sets only (route patterns, verbs, codes), never names of namespaces, Secrets or people; the exceptions
 * are the bounded lists of what expires.
 */
export const METRICS = {
  service_http_requests_total: {
    type: 'counter',
    help: 'API requests by method, route pattern and status.',
    labels: { method: TEXT, route: TEXT, status: TEXT },
  },
  service_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from request to answer, by method and route pattern.',
    labels: { method: TEXT, route: TEXT },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  service_http_requests_in_flight: {
    type: 'gauge',
    help: 'Requests to the API and the pages that are not answered yet.',
    labels: {},
  },
  service_http_failures_total: {
    type: 'counter',
    help: "API requests that ended in an error, by route pattern and the service's own error code.",
    labels: { route: TEXT, code: TEXT },
  },
  service_cluster_work: {
    type: 'gauge',
    help: 'Requests of people that work with the cluster, by state (working, waiting_for_client, queued).',
    labels: { state: ['working', 'waiting_for_client', 'queued'] },
  },
  service_connections: {
    type: 'gauge',
    help: 'Connections by port (api, operations) and state (idle, busy).',
    labels: { port: ['api', 'operations'], state: ['idle', 'busy'] },
  },
  service_tls_not_after_seconds: {
    type: 'gauge',
    help: 'When the certificate of a port expires, in seconds since the epoch.',
    labels: { port: ['api'] },
  },
  service_tls_reloads_total: {
    type: 'counter',
    help: 'Renewals of the certificate of the API port by outcome: loaded, or failed, each time the files are read.',
    labels: { outcome: ['loaded', 'failed'] },
  },
  service_bounds_refused_total: {
    type: 'counter',
    help: 'Requests that a bound of this replica refused, by bound.',
    labels: { bound: BOUNDS },
  },
  service_request_body_bytes: {
    type: 'gauge',
    help: 'Bytes of request bodies that are being received or handled.',
    labels: {},
  },
  service_cluster_requests_total: {
    type: 'counter',
    help: 'Cluster API requests (each attempt counts) by verb, resource and outcome: the status of an answer, or the code of a failure without a usable one.',
    labels: { verb: TEXT, resource: TEXT, outcome: TEXT },
  },
  service_cluster_request_duration_seconds: {
    type: 'histogram',
    help: 'Time of one attempt at the cluster API, by verb and resource.',
    labels: { verb: TEXT, resource: TEXT },
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  service_trace_spans_total: {
    type: 'counter',
    help: 'Spans by outcome: exported, failed (the receiver did not take them), or dropped (the queue was full).',
    labels: { outcome: ['exported', 'failed', 'dropped'] },
  },
  service_sign_ins_total: {
    type: 'counter',
    help: 'Sign-in attempts by step (login, callback, terminal) and outcome.',
    labels: { step: ['login', 'callback', 'terminal'], outcome: TEXT },
  },
  service_userinfo_reads_total: {
    type: 'counter',
    help: 'Logins that requested UserInfo from the provider, by outcome.',
    labels: { outcome: TEXT },
  },
  service_machine_tokens_total: {
    type: 'counter',
    help: 'Bearer tokens by the name of their issuer (empty if it is not trusted) and outcome.',
    labels: { issuer: TEXT, outcome: TEXT },
  },
  service_issuer_keys_age_seconds: {
    type: 'gauge',
    help: 'Time since the keys of a trusted issuer were fetched.',
    labels: { issuer: TEXT },
  },
  service_machine_policies: {
    type: 'gauge',
    help: 'Namespace policies that bind machines; malformed ones disable the machines of their namespace.',
    labels: { state: ['valid', 'malformed'] },
  },
  service_auth_disabled: {
    type: 'gauge',
    help: '1 while AUTH_DISABLED makes every request an administrator, otherwise 0.',
    labels: {},
  },
  service_signing_key_valid: {
    type: 'gauge',
    help: '1 when sign-in has a usable SESSION_SECRET or needs none, otherwise 0.',
    labels: {},
  },
  service_former_signing_key: {
    type: 'gauge',
    help: '1 while sessions of a former signing key (SESSION_SECRET_PREVIOUS) are still accepted, otherwise 0.',
    labels: {},
  },
  service_session_revocations: {
    type: 'gauge',
    help: 'Entries that end sessions early, by state: effective, or malformed (which end nothing).',
    labels: { state: ['effective', 'malformed'] },
  },
  service_ready: {
    type: 'gauge',
    help: 'Readiness by check, as the last probe found it: 1 when the check passes, otherwise 0.',
    labels: { check: TEXT },
  },
  service_leader: {
    type: 'gauge',
    help: '1 while this replica keeps the history in order, otherwise 0.',
    labels: {},
  },
  service_history_snapshots: {
    type: 'gauge',
    help: 'History objects by state: bound, orphaned (the live Secret is gone) or inconsistent.',
    labels: { state: ['bound', 'orphaned', 'inconsistent'] },
  },
  service_history_steps_total: {
    type: 'counter',
    help: 'What the reconciler did to history objects, by step.',
    labels: { step: TEXT },
  },
  service_history_expiry_postponed_total: {
    type: 'counter',
    help: 'Reconciles that left orphans alone, since the cluster time and the local clock disagree.',
    labels: {},
  },
  service_reconcile_total: {
    type: 'counter',
    help: 'Reconciles by outcome.',
    labels: { outcome: TEXT },
  },
  service_reconcile_duration_seconds: {
    type: 'histogram',
    help: 'Time of one reconcile.',
    labels: {},
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60],
  },
  service_reconcile_queue_depth: {
    type: 'gauge',
    help: 'Keys that wait to be reconciled.',
    labels: {},
  },
  service_reconcile_queue_age_seconds: {
    type: 'gauge',
    help: 'How long the first of them has been waiting.',
    labels: {},
  },
  service_watch_events_total: {
    type: 'counter',
    help: 'Events that watches brought, by informer and kind.',
    labels: { informer: TEXT, kind: TEXT },
  },
  service_watch_relists_total: {
    type: 'counter',
    help: 'Complete lists behind watches, by informer and reason.',
    labels: { informer: TEXT, reason: TEXT },
  },
  service_watch_silence_seconds: {
    type: 'gauge',
    help: 'Age of the last byte that the cluster sent to an informer; of its most silent watch, when it has several.',
    labels: { informer: TEXT },
  },
  service_watches: {
    type: 'gauge',
    help: 'Watches that an informer keeps: one, or one for each namespace in scope.',
    labels: { informer: TEXT },
  },
  service_watch_rights_missing: {
    type: 'gauge',
    help: 'Watches of an informer that stand still because an RBAC permission is missing.',
    labels: { informer: TEXT },
  },
  service_storage_restores_total: {
    type: 'counter',
    help: "How often the cluster's storage was found restored from a backup: everything was dropped and listed again.",
    labels: {},
  },
  service_list_answers_total: {
    type: 'counter',
    help: 'Lists by source (cache, live, refused) and why they were live or refused.',
    labels: { source: ['cache', 'live', 'refused'], reason: TEXT },
  },
  service_list_answers_kept_bytes: {
    type: 'gauge',
    help: 'Serialized list answers kept for repeated lists.',
    labels: {},
  },
  service_list_pages_kept_bytes: {
    type: 'gauge',
    help: 'What is kept for further pages of lists.',
    labels: {},
  },
  service_cache_synced: {
    type: 'gauge',
    help: '1 once every part of the cache has held a whole list, otherwise 0.',
    labels: { cache: TEXT },
  },
  service_cache_objects: {
    type: 'gauge',
    help: 'Objects in the cache.',
    labels: { cache: TEXT },
  },
  service_cache_bytes: {
    type: 'gauge',
    help: 'What the objects in the cache take of the heap, nearly; values of Secrets are never kept.',
    labels: { cache: TEXT },
  },
  service_cache_namespaces_over_budget: {
    type: 'gauge',
    help: 'Namespaces whose Secrets take too much memory: their metadata alone is held, and their lists are refused.',
    labels: {},
  },
  service_cache_checks_total: {
    type: 'counter',
    help: 'Comparisons of a cache with the cluster, by cache and result (same, different, failed).',
    labels: { cache: TEXT, result: ['same', 'different', 'failed'] },
  },
  service_certificate_not_after_seconds: {
    type: 'gauge',
    help: 'When the certificate of a TLS Secret expires, in seconds since 1970; the 1,000 that expire first.',
    labels: { namespace: TEXT, name: TEXT },
  },
  service_secret_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'With SERVICE_EXPIRY_METRICS: when a Secret expires by kind (certificate, declared, rotation), in seconds since 1970; of the 1,000 Secrets that expire first.',
    labels: { namespace: TEXT, secret: TEXT, kind: ['certificate', 'declared', 'rotation'] },
  },
  service_expiry_annotations_malformed: {
    type: 'gauge',
    help: 'Secrets whose declared expiry or period of rotation cannot be read.',
    labels: {},
  },
  service_memory_limit_bytes: {
    type: 'gauge',
    help: "What may be used: of the process the container's limit or the machine's memory, of the heap V8's limit.",
    labels: { of: ['process', 'heap'] },
  },
  service_build_info: {
    type: 'gauge',
    help: 'Always 1; the version is in the label.',
    labels: { version: TEXT },
  },
} as const satisfies Record<string, Metric>;

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
