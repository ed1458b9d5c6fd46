import { graph, q, quantile, type Row } from './panel.ts';

/** What the service does with the cluster. */

export const CLUSTER: Row = {
  title: 'Cluster API',
  panels: [
    graph(
      'Attempts by verb and resource',
      'reqps',
      'Retries count.',
      q(
        '{{verb}} {{resource}}',
        'sum by (verb, resource) (rate(service_cluster_requests_total{$of}[$__rate_interval]))',
      ),
    ),
    graph(
      'Attempts that did not go well',
      'reqps',
      'By outcome: 404 and 409 belong to ordinary work, 403 is a missing right, a word is an answer that did not come or could not be used.',
      q(
        '{{outcome}}',
        'sum by (outcome) (rate(service_cluster_requests_total{$of, outcome!~"2.."}[$__rate_interval]))',
      ),
    ),
    graph(
      'Time of an attempt, 99th percentile',
      's',
      'Without watches, which last as long as they last.',
      q(
        '{{verb}} {{resource}}',
        quantile(0.99, 'service_cluster_request_duration_seconds', 'verb, resource, ', ', verb!="watch"'),
      ),
    ),
    graph(
      'Silence of watches',
      's',
      'Age of the last byte from the cluster; bookmarks come every minute.',
      q('{{informer}} {{instance}}', 'service_watch_silence_seconds{$of}'),
    ),
    graph(
      'Watch events',
      'reqps',
      'What watches brought.',
      q(
        '{{informer}} {{kind}}',
        'sum by (informer, kind) (rate(service_watch_events_total{$of}[$__rate_interval]))',
      ),
    ),
    graph(
      'Complete lists behind watches',
      'short',
      'By reason, within an hour, beside the number of watches that each informer keeps.',
      q(
        '{{informer}} {{reason}}',
        'sum by (informer, reason) (increase(service_watch_relists_total{$of}[1h]))',
      ),
      q('{{informer}} watches', 'max by (informer) (service_watches{$of})'),
      q('restores of the storage', 'sum(increase(service_storage_restores_total{$of}[1h]))'),
    ),
    graph(
      'Rights missing',
      'short',
      'Watches that lack an RBAC permission.',
      q('{{informer}} {{instance}}', 'service_watch_rights_missing{$of}'),
    ),
  ],
};

export const HISTORY: Row = {
  title: 'History',
  panels: [
    graph(
      'Snapshots by state',
      'short',
      'As each replica sees them; they should agree.',
      q('{{state}}', 'max by (state) (service_history_snapshots{$of})'),
    ),
    graph(
      'What the reconciler did',
      'short',
      'Steps within an hour.',
      q('{{step}}', 'sum by (step) (increase(service_history_steps_total{$of}[1h]))'),
      q('postponed', 'sum(increase(service_history_expiry_postponed_total{$of}[1h]))'),
    ),
    graph(
      'Reconciles by outcome',
      'reqps',
      'terminal is given up until something changes.',
      q('{{outcome}}', 'sum by (outcome) (rate(service_reconcile_total{$of}[$__rate_interval]))'),
    ),
    graph(
      'Time of a reconcile, 99th percentile',
      's',
      'Of the replica that leads.',
      q('99th percentile', quantile(0.99, 'service_reconcile_duration_seconds', '')),
    ),
    graph('Queue', 'short', 'Keys that wait.', q('{{instance}}', 'service_reconcile_queue_depth{$of}')),
    graph(
      'Age of the queue',
      's',
      'How long the first key has been waiting.',
      q('{{instance}}', 'service_reconcile_queue_age_seconds{$of}'),
    ),
    graph('Who leads', 'short', 'One replica at a time.', q('{{instance}}', 'service_leader{$of}')),
  ],
};

export const LISTS: Row = {
  title: 'Lists from memory',
  panels: [
    graph(
      'Lists by source',
      'reqps',
      'docs/caching.md explains why a list was live.',
      q(
        '{{source}} {{reason}}',
        'sum by (source, reason) (rate(service_list_answers_total{$of}[$__rate_interval]))',
      ),
    ),
    graph(
      'Caches that hold a whole list',
      'short',
      '1 once the first list has arrived.',
      q('{{cache}} {{instance}}', 'service_cache_synced{$of}'),
    ),
    graph(
      'Objects in caches',
      'short',
      'Replicas should agree.',
      q('{{cache}} {{instance}}', 'service_cache_objects{$of}'),
    ),
    graph(
      'Bytes in caches',
      'bytes',
      'What the objects take of the heap, and answers.',
      q('{{cache}} {{instance}}', 'service_cache_bytes{$of}'),
      q('answers {{instance}}', 'service_list_answers_kept_bytes{$of}'),
      q('pages {{instance}}', 'service_list_pages_kept_bytes{$of}'),
    ),
    graph(
      'Namespaces over the cache budget',
      'short',
      'Their lists are 503; docs/caching.md, Memory.',
      q('{{instance}}', 'service_cache_namespaces_over_budget{$of}'),
    ),
    graph(
      'Comparisons with the cluster',
      'short',
      'Within an hour; different means that something had been missed.',
      q('{{result}}', 'sum by (result) (increase(service_cache_checks_total{$of}[1h]))'),
    ),
  ],
};
