/**
 * Every metric of the service, in one table; `docs/metrics.md` is held to it by a test. Labels take values
 * from closed sets only (route patterns, verbs, codes), never names of namespaces, Secrets or people; the one exception
 * is the bounded list of certificates.
 */
export const METRICS = {
  service_http_requests_total: {
    help: 'API requests by method, route pattern and status.',
    labels: ['method', 'route', 'status'],
  },
  service_http_request_duration_seconds: {
    help: 'Time from request to answer, by method and route pattern.',
    labels: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  service_http_requests_in_flight: {
    help: 'Requests to the API and the pages that are not answered yet.',
    labels: [],
  },
  service_http_failures_total: {
    help: "API requests that ended in an error, by route pattern and the service's own error code.",
    labels: ['route', 'code'],
  },
  service_cluster_work: {
    help: 'Requests of people that work with the cluster, by state (working, waiting_for_client, queued).',
    labels: ['state'],
  },
  service_connections: {
    help: 'Connections by port (api, operations) and state (unused, idle, busy).',
    labels: ['port', 'state'],
  },
  service_tls_not_after_seconds: {
    help: 'When the certificate of a port expires, in seconds since the epoch.',
    labels: ['port'],
  },
  service_tls_reloads_total: {
    help: 'Renewals of the certificate of the API port by outcome: loaded, or failed, each time the files are read.',
    labels: ['outcome'],
  },
  service_bounds_refused_total: {
    help: 'Requests that a bound of this replica refused, by bound.',
    labels: ['bound'],
  },
  service_request_body_bytes: {
    help: 'Bytes of request bodies that are being received or handled.',
    labels: [],
  },
  service_cluster_requests_total: {
    help: 'Cluster API requests (each attempt counts) by verb, resource and outcome: the status of an answer, or the code of a failure without a usable one.',
    labels: ['verb', 'resource', 'outcome'],
  },
  service_cluster_request_duration_seconds: {
    help: 'Time of one attempt at the cluster API, by verb and resource.',
    labels: ['verb', 'resource'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  service_trace_spans_total: {
    help: 'Spans by outcome: exported, failed (the receiver did not take them), or dropped (the queue was full).',
    labels: ['outcome'],
  },
  service_sign_ins_total: {
    help: 'Sign-in attempts by step (login, callback) and outcome.',
    labels: ['step', 'outcome'],
  },
  service_userinfo_reads_total: {
    help: 'Logins that requested UserInfo from the provider, by outcome.',
    labels: ['outcome'],
  },
  service_auth_disabled: {
    help: '1 while AUTH_DISABLED makes every request an administrator, otherwise 0.',
    labels: [],
  },
  service_signing_key_valid: {
    help: '1 when sign-in has a usable SESSION_SECRET or needs none, otherwise 0.',
    labels: [],
  },
  service_former_signing_key: {
    help: '1 while sessions of a former signing key (SESSION_SECRET_PREVIOUS) are still accepted, otherwise 0.',
    labels: [],
  },
  service_session_revocations: {
    help: 'Entries that end sessions early, by state: effective, or malformed (which end nothing).',
    labels: ['state'],
  },
  service_ready: {
    help: 'Readiness by check, as the last probe found it: 1 when the check passes, otherwise 0.',
    labels: ['check'],
  },
  service_leader: {
    help: '1 while this replica keeps the history in order, otherwise 0.',
    labels: [],
  },
  service_history_snapshots: {
    help: 'History objects by state: bound, orphaned (the live Secret is gone) or inconsistent.',
    labels: ['state'],
  },
  service_history_steps_total: {
    help: 'What the reconciler did to history objects, by step.',
    labels: ['step'],
  },
  service_history_expiry_postponed_total: {
    help: 'Reconciles that left orphans alone, since the cluster time and the local clock disagree.',
    labels: [],
  },
  service_reconcile_total: {
    help: 'Reconciles by outcome.',
    labels: ['outcome'],
  },
  service_reconcile_duration_seconds: {
    help: 'Time of one reconcile.',
    labels: [],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60],
  },
  service_reconcile_queue_depth: {
    help: 'Keys that wait to be reconciled.',
    labels: [],
  },
  service_reconcile_queue_age_seconds: {
    help: 'How long the first of them has been waiting.',
    labels: [],
  },
  service_watch_events_total: {
    help: 'Events that watches brought, by informer and kind.',
    labels: ['informer', 'kind'],
  },
  service_watch_relists_total: {
    help: 'Complete lists behind watches, by informer and reason.',
    labels: ['informer', 'reason'],
  },
  service_watch_silence_seconds: {
    help: 'Age of the last byte that the cluster sent to an informer; of its most silent watch, when it has several.',
    labels: ['informer'],
  },
  service_watches: {
    help: 'Watches that an informer keeps: one, or one for each namespace in scope.',
    labels: ['informer'],
  },
  service_watch_rights_missing: {
    help: 'Watches of an informer that stand still because an RBAC permission is missing.',
    labels: ['informer'],
  },
  service_storage_restores_total: {
    help: "How often the cluster's storage was found restored from a backup: everything was dropped and listed again.",
    labels: [],
  },
  service_list_answers_total: {
    help: 'Lists by source (cache, live, refused) and why they were live or refused.',
    labels: ['source', 'reason'],
  },
  service_list_answers_kept_bytes: {
    help: 'Serialized list answers kept for repeated lists.',
    labels: [],
  },
  service_list_pages_kept_bytes: {
    help: 'What is kept for further pages of lists.',
    labels: [],
  },
  service_cache_synced: {
    help: '1 once every part of the cache has held a whole list, otherwise 0.',
    labels: ['cache'],
  },
  service_cache_objects: {
    help: 'Objects in the cache.',
    labels: ['cache'],
  },
  service_cache_bytes: {
    help: 'What the objects in the cache take of the heap, nearly; values of Secrets are never kept.',
    labels: ['cache'],
  },
  service_cache_namespaces_over_budget: {
    help: 'Namespaces whose Secrets take too much memory: their metadata alone is held, and their lists are refused.',
    labels: [],
  },
  service_cache_checks_total: {
    help: 'Comparisons of a cache with the cluster, by cache and result (same, different, failed).',
    labels: ['cache', 'result'],
  },
  service_certificate_not_after_seconds: {
    help: 'When the certificate of a TLS Secret expires, in seconds since 1970; the 1,000 that expire first.',
    labels: ['namespace', 'name'],
  },
  service_memory_limit_bytes: {
    help: "What may be used: of the process the container's limit or the machine's memory, of the heap V8's limit.",
    labels: ['of'],
  },
  service_build_info: {
    help: 'Always 1; the version is in the label.',
    labels: ['version'],
  },
} as const satisfies Record<
  string,
  { readonly help: string; readonly labels: readonly string[]; readonly buckets?: readonly number[] }
>;

export type MetricName = keyof typeof METRICS;
