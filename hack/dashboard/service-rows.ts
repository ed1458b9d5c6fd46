import { alarming, graph, q, quantile, stat, type Row } from './panel.ts';

/** What people meet, and the process that they meet it in. */

export const OVERVIEW: Row = {
  title: 'Overview',
  panels: [
    alarming(
      { below: 1 },
      stat(
        'Replicas ready',
        'short',
        'Replicas whose checks all passed at the last probe.',
        'sum(min by (instance) (service_ready{$of})) or vector(0)',
      ),
    ),
    stat(
      'Requests',
      'reqps',
      'All requests to the API and the pages.',
      'sum(rate(service_http_requests_total{$of}[$__rate_interval]))',
    ),
    alarming(
      { from: 0.005 },
      stat(
        'Failed requests',
        'percentunit',
        'Share answered 5xx, without 501, over the range of the dashboard.',
        '(sum(increase(service_http_requests_total{$of, status=~"5..", status!="501"}[$__range])) or vector(0)) / sum(increase(service_http_requests_total{$of}[$__range]))',
      ),
    ),
    alarming(
      { from: 5 },
      stat(
        'Slowest per cent',
        's',
        'The 99th percentile of the time to answer, sign-in left out.',
        quantile(0.99, 'service_http_request_duration_seconds', '', ', route!~"/api/auth/.*"'),
      ),
    ),
    alarming(
      { below: 1 },
      stat('Leaders', 'short', 'Replicas that keep the history in order: one.', 'sum(service_leader{$of})'),
    ),
    alarming(
      { below: 1 },
      stat(
        'Signing key',
        'short',
        '1 when every replica has a usable SESSION_SECRET.',
        'min(service_signing_key_valid{$of})',
      ),
    ),
    alarming(
      { from: 1 },
      stat(
        'Former key accepted',
        'short',
        '1 while SESSION_SECRET_PREVIOUS is set somewhere: not for longer than a session lives.',
        'max(service_former_signing_key{$of})',
      ),
    ),
    alarming(
      { from: 1 },
      stat(
        'Sign-in disabled',
        'short',
        '1 when AUTH_DISABLED is set somewhere: everyone is an administrator.',
        'max(service_auth_disabled{$of})',
      ),
    ),
    alarming(
      { from: 2 },
      stat(
        'Versions',
        'short',
        'More than one only during a rollout.',
        'count(count by (version) (service_build_info{$of}))',
      ),
    ),
  ],
};

export const REQUESTS: Row = {
  title: 'Requests',
  panels: [
    graph(
      'Requests by route',
      'reqps',
      'Routes are patterns.',
      q(
        '{{method}} {{route}}',
        'sum by (method, route) (rate(service_http_requests_total{$of}[$__rate_interval]))',
      ),
    ),
    graph(
      'Answers by status',
      'reqps',
      '499 is a client that left.',
      q('{{status}}', 'sum by (status) (rate(service_http_requests_total{$of}[$__rate_interval]))'),
    ),
    graph(
      'Failures by code',
      'reqps',
      'The codes of docs/api.md; the log has them, too.',
      q('{{code}}', 'sum by (code) (rate(service_http_failures_total{$of}[$__rate_interval]))'),
    ),
    graph(
      'Refused by a bound',
      'reqps',
      'Which bound of a replica refused requests; docs/observability.md explains each.',
      q('{{bound}}', 'sum by (bound) (rate(service_bounds_refused_total{$of}[$__rate_interval]))'),
    ),
    graph(
      'Spans by outcome',
      'reqps',
      'Only where traces are exported. Failed and dropped spans are lost.',
      q('{{outcome}}', 'sum by (outcome) (rate(service_trace_spans_total{$of}[$__rate_interval]))'),
    ),
    graph(
      'Bytes of request bodies',
      'bytes',
      'Being received or handled, by replica; SERVICE_BODY_BUDGET bounds them.',
      q('{{instance}}', 'service_request_body_bytes{$of}'),
    ),
    graph(
      'Work with the cluster',
      'short',
      'Requests of people that work with the cluster, that wait for their client to send or to read, and that wait for their turn.',
      q('{{state}} {{instance}}', 'service_cluster_work{$of}'),
    ),
    graph(
      'Connections',
      'short',
      'Those that idle and those with a request. At the limit of a port new ones are closed.',
      q('{{port}} {{state}} {{instance}}', 'service_connections{$of}'),
    ),
    graph(
      'Time to answer, 99th percentile by route',
      's',
      'From request to answer.',
      q('{{route}}', quantile(0.99, 'service_http_request_duration_seconds', 'route, ')),
    ),
    graph(
      'Time to answer, median by route',
      's',
      'From request to answer.',
      q('{{route}}', quantile(0.5, 'service_http_request_duration_seconds', 'route, ')),
    ),
    graph(
      'Requests under way',
      'short',
      'Not answered yet, by replica.',
      q('{{instance}}', 'service_http_requests_in_flight{$of}'),
    ),
  ],
};

export const SIGN_IN: Row = {
  title: 'Sign-in',
  panels: [
    graph(
      'Sign-in by outcome',
      'reqps',
      'Both steps: the way to the provider, and back. docs/sign-in.md explains each outcome; person_declined is someone who cancelled.',
      q(
        '{{step}} {{outcome}}',
        'sum by (step, outcome) (rate(service_sign_ins_total{$of}[$__rate_interval]))',
      ),
    ),
    graph(
      'UserInfo by outcome',
      'reqps',
      'Logins that requested it. All but ok go on with the ID token alone, which may have no groups.',
      q('{{outcome}}', 'sum by (outcome) (rate(service_userinfo_reads_total{$of}[$__rate_interval]))'),
    ),
    graph(
      'Time of sign-in, 99th percentile',
      's',
      'The callback requests the tokens and UserInfo from the provider.',
      q(
        '{{route}}',
        quantile(
          0.99,
          'service_http_request_duration_seconds',
          'route, ',
          ', route=~"/api/auth/(login|callback)"',
        ),
      ),
    ),
  ],
};

export const PROCESS: Row = {
  title: 'Process',
  panels: [
    graph(
      'Memory, share of the limit',
      'percentunit',
      "Of the container's limit, and of V8's.",
      q(
        'process {{instance}}',
        'process_resident_memory_bytes{$of} / on (namespace, job, instance) service_memory_limit_bytes{$of, of="process"}',
      ),
      q(
        'heap {{instance}}',
        'nodejs_heap_size_used_bytes{$of} / on (namespace, job, instance) service_memory_limit_bytes{$of, of="heap"}',
      ),
    ),
    graph('Memory', 'bytes', 'Resident.', q('{{instance}}', 'process_resident_memory_bytes{$of}')),
    graph(
      'CPU',
      'short',
      'Cores in use.',
      q('{{instance}}', 'rate(process_cpu_seconds_total{$of}[$__rate_interval])'),
    ),
    graph(
      'Event loop, 99th percentile of the delay',
      's',
      'High values mean that requests wait for each other.',
      q('{{instance}}', 'nodejs_eventloop_lag_p99_seconds{$of}'),
    ),
    graph(
      'Readiness by check',
      'short',
      'As the last probe found it.',
      q('{{check}} {{instance}}', 'service_ready{$of}'),
    ),
    graph(
      'Uptime',
      's',
      'Since the process started.',
      q('{{instance}}', 'time() - process_start_time_seconds{$of}'),
    ),
  ],
};
