import { describe, expect, it } from 'vitest';
import { countRequest } from '../../../src/api/runner/requests.ts';
import { observeClusterCalls } from '../../../src/app/cluster-calls.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { BOUNDS, METRICS } from '../../../src/observability/metric-table.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { createReadiness } from '../../../src/observability/readiness.ts';
import { column, readDocument, listRows } from './markdown-tables.ts';

/** The samples of the exposition: `name{labels} value`, without comments. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  const { body } = await metrics.expose();
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The type of each metric of the service, as the exposition declares it. */
async function exposedTypes(): Promise<ReadonlyMap<string, string>> {
  const { body } = await createMetrics('1').expose();
  return new Map(
    [...body.matchAll(/^# TYPE (service_\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
}

describe('the metrics', () => {
  it('are those of the table, and the process beside them', async () => {
    expect([...(await exposedTypes()).keys()].toSorted()).toEqual(Object.keys(METRICS).toSorted());
    const names = (await samples(createMetrics('1'))).map((line) => line.split(/[{ ]/)[0]);
    expect(names).toContain('process_cpu_seconds_total');
  });

  it('count requests by method, route and status, and observe their time', async () => {
    const metrics = createMetrics('1');
    const request = { method: 'GET', route: '/api/:a' };
    countRequest(metrics, request, 200, 0.02);
    countRequest(metrics, request, 200, 7);
    countRequest(metrics, request, 503, 0.02);
    const lines = await samples(metrics);
    expect(lines).toContain('service_http_requests_total{method="GET",route="/api/:a",status="200"} 2');
    expect(lines).toContain('service_http_requests_total{method="GET",route="/api/:a",status="503"} 1');
    const bucket = 'service_http_request_duration_seconds_bucket';
    expect(lines).toContain(`${bucket}{le="0.025",method="GET",route="/api/:a"} 2`);
    expect(lines).toContain(`${bucket}{le="10",method="GET",route="/api/:a"} 3`);
    expect(lines).toContain('service_http_request_duration_seconds_count{method="GET",route="/api/:a"} 3');
  });

  it('distinguish an attempt of a write that ends from one that is given up', async () => {
    const metrics = createMetrics('1');
    const attempt = { verb: 'update', resource: 'secrets' };
    metrics.observe('service_cluster_request_duration_seconds', 12, attempt);
    metrics.observe('service_cluster_request_duration_seconds', 15.1, attempt);
    const bucket = 'service_cluster_request_duration_seconds_bucket';
    expect(await samples(metrics)).toContain(`${bucket}{le="15",verb="update",resource="secrets"} 1`);
  });

  it('say how many requests are not answered yet', async () => {
    const metrics = createMetrics('1');
    expect(await samples(metrics)).toContain('service_http_requests_in_flight 0');
    metrics.add('service_http_requests_in_flight', 1);
    metrics.add('service_http_requests_in_flight', 1);
    metrics.add('service_http_requests_in_flight', -1);
    expect(await samples(metrics)).toContain('service_http_requests_in_flight 1');
  });

  it('count requests that ended in an error by route and code, and no others', async () => {
    const metrics = createMetrics('1');
    const request = { method: 'PUT', route: '/a' };
    countRequest(metrics, { ...request, failure: { code: 'historyUnavailable' } }, 503, 1);
    countRequest(metrics, request, 200, 1);
    expect((await samples(metrics)).filter((line) => line.startsWith('service_http_failures_total'))).toEqual(
      ['service_http_failures_total{route="/a",code="historyUnavailable"} 1'],
    );
  });

  it('list certificates, each time only those of the moment', async () => {
    const metrics = createMetrics('1');
    const certificates = async () =>
      (await samples(metrics)).filter((line) => line.startsWith('service_certificate'));
    const certificate = 'service_certificate_not_after_seconds';
    metrics.replace(certificate, [{ labels: { namespace: 'ns', name: 'old' }, value: 1 }]);
    metrics.replace(certificate, [{ labels: { namespace: 'ns', name: 'web' }, value: 1_700_000_000 }]);
    expect(await certificates()).toEqual([
      'service_certificate_not_after_seconds{namespace="ns",name="web"} 1700000000',
    ]);
  });

  it('count refusals by bound, each bound from zero', async () => {
    const metrics = createMetrics('1');
    metrics.countRefusal('body_structure');
    const lines = await samples(metrics);
    for (const bound of BOUNDS) {
      const count = bound === 'body_structure' ? 1 : 0;
      expect(lines).toContain(`service_bounds_refused_total{bound="${bound}"} ${count}`);
    }
  });

  it('describe every bound, and no other', () => {
    const bounds = column(
      listRows(readDocument('observability.md'), 'Bounds', ['Bound', 'Meaning']),
      'Bound',
    );
    expect(bounds.toSorted()).toEqual([...BOUNDS].toSorted());
  });

  it('count requests to the cluster by verb, resource and outcome', async () => {
    const metrics = createMetrics('1');
    const request = { verb: 'get', resource: 'secrets', namespace: 'ns', name: 'a' } as const;
    const result = { status: 200, outcome: 'ok', reason: undefined, systemCode: undefined };
    const call = { ...request, ...result, durationMs: 100, attempt: 1 };
    const credentials = { server: 'https://10.0.0.1', home: { namespace: undefined, inCluster: true } };
    const logger = createLogger('error', { write: () => undefined });
    observeClusterCalls({ metrics, logger }, credentials)(call);
    const lines = await samples(metrics);
    expect(lines).toContain('service_cluster_requests_total{verb="get",resource="secrets",outcome="200"} 1');
    expect(lines).toContain(
      'service_cluster_request_duration_seconds_sum{verb="get",resource="secrets"} 0.1',
    );
  });

  it('count sign-ins by step and outcome', async () => {
    const metrics = createMetrics('1');
    metrics.inc('service_sign_ins_total', { step: 'callback', outcome: 'invalid_grant' });
    expect(await samples(metrics)).toContain(
      'service_sign_ins_total{step="callback",outcome="invalid_grant"} 1',
    );
  });

  it('say whether sign-in is disabled, from the beginning', async () => {
    const metrics = createMetrics('1');
    expect(await samples(metrics)).toContain('service_auth_disabled 0');
    metrics.set('service_auth_disabled', true);
    expect(await samples(metrics)).toContain('service_auth_disabled 1');
    metrics.set('service_auth_disabled', false);
    expect(await samples(metrics)).toContain('service_auth_disabled 0');
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('say whether the signing key is valid: %s', async (valid, value) => {
    const metrics = createMetrics('1');
    metrics.set('service_signing_key_valid', valid);
    expect(await samples(metrics)).toContain(`service_signing_key_valid ${value}`);
  });

  it('say of each check of readiness whether it passed', async () => {
    const metrics = createMetrics('1');
    let answers = true;
    const checks = [
      { name: 'running', isReady: () => true },
      { name: 'cluster', isReady: () => answers },
    ];
    const readiness = createReadiness(metrics, checks);
    await readiness.waitingFor();
    answers = false;
    await readiness.waitingFor();
    const lines = await samples(metrics);
    expect(lines).toContain('service_ready{check="running"} 1');
    expect(lines).toContain('service_ready{check="cluster"} 0');
  });

  it('say how much memory the process and its heap may use', async () => {
    const lines = await samples(createMetrics('1'));
    for (const of of ['process', 'heap']) {
      const line = lines.find((one) => one.startsWith(`service_memory_limit_bytes{of="${of}"} `));
      expect(Number(line?.split(' ')[1])).toBeGreaterThan(1024 * 1024);
    }
  });

  it('say which version runs', async () => {
    expect(await samples(createMetrics('1.2.3'))).toContain('service_build_info{version="1.2.3"} 1');
  });

  it('of two services in one process are apart', async () => {
    const one = createMetrics('1');
    one.inc('service_sign_ins_total', { step: 'login', outcome: 'ok' });
    expect(
      (await samples(createMetrics('1'))).some((line) => line.startsWith('service_sign_ins_total{')),
    ).toBe(false);
  });

  it('end in _total where they are counters, and nowhere else', async () => {
    const { body } = await createMetrics('0.0.0').expose();
    const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
      ([, name = '', type]) => [name, type] as const,
    );
    expect(types.length).toBeGreaterThan(30);
    for (const [name, type] of types)
      expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
  });

  it('are exposed in the text format', async () => {
    expect((await createMetrics('1').expose()).contentType).toMatch(/^text\/plain; version=/);
  });
});

describe('docs/observability.md', () => {
  const rows = listRows(readDocument('observability.md'), 'Metrics', ['Metric', 'Type', 'Labels', 'Meaning']);

  it('describes every metric once, and no other', () => {
    expect(column(rows, 'Metric').toSorted()).toEqual(Object.keys(METRICS).toSorted());
  });

  it('states the type and the labels of each', async () => {
    const types = await exposedTypes();
    for (const row of rows) {
      const name = row.get('Metric') as keyof typeof METRICS;
      expect(row.get('Type')).toBe(types.get(name));
      expect(row.get('Labels')).toBe(Object.keys(METRICS[name].labels).join(', '));
      expect(row.get('Meaning')).toMatch(/\w{3,}/);
    }
  });
});
