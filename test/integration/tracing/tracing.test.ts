import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { historyOf, loseLabels } from '../replicas.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

const [SERVER, CLIENT] = [2, 3];
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SECRET_PATH = '/api/v1/namespaces/{namespace}/secrets/{name}';

describe('traces', { timeout: 60_000 }, () => {
  let receiver: OtlpReceiver;
  let stack: InProcessStack;
  let admin: ApiClient;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    stack = await startInProcessStack({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    });
    admin = await stack.client(ADMIN);
  });
  afterAll(async () => {
    await stack.close();
    await receiver.close();
  });

  const inTrace = (traceId: string): readonly ReceivedSpan[] =>
    receiver.spans().filter((span) => span.traceId === traceId);

  /** The span of the request with the response. */
  const spanOf = ({ headers }: Pick<ApiAnswer, 'headers'>): Promise<ReceivedSpan> =>
    eventually(() => {
      const id = headers.get('x-request-id');
      const span = receiver.spans().find(({ attributes }) => attributes.get('request.id') === id);
      if (span === undefined) throw new Error('not exported yet');
      return span;
    });

  it('of an update have the request and its requests to the cluster, which gets the trace, and so do the log lines', async () => {
    const namespace = await stack.namespace();
    const secrets = secretsOf(admin, namespace);
    const { resourceVersion } = await secrets.create('traced-secret', {
      data: { 'traced-key': 'traced-value' },
    });
    stack.between.forget();
    const response = await admin.send('PUT', `${secrets.path('traced-secret')}?traced-query=1`, {
      json: { resourceVersion, data: { 'traced-key': 'another-traced-value' } },
      headers: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=traced-state' },
    });
    expect(response.status).toBe(200);
    const request = await spanOf(response);
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: SERVER });
    expect(request.name).toBe('PUT /api/namespaces/:namespace/secrets/:name');
    expect(Object.fromEntries(request.attributes)).toEqual({
      'http.request.method': 'PUT',
      'http.route': '/api/namespaces/:namespace/secrets/:name',
      'http.response.status_code': 200,
      'k8s.namespace.name': namespace,
      'request.id': response.headers.get('x-request-id'),
    });
    const calls = inTrace(TRACE).filter(({ kind }) => kind === CLIENT);
    expect(calls.map(({ name }) => name)).toEqual(
      expect.arrayContaining([`GET ${SECRET_PATH}`, `PUT ${SECRET_PATH}`]),
    );
    for (const { parentSpanId } of calls) expect(parentSpanId).toBe(request.spanId);
    const put = calls.find(({ name }) => name === `PUT ${SECRET_PATH}`);
    expect(put?.attributes.get('url.template')).toBe(SECRET_PATH);
    expect(put?.attributes.get('http.response.status_code')).toBe(200);
    const passed = stack.between.passed.find(
      ({ method, path }) => method === 'PUT' && path.includes(namespace),
    );
    expect(passed?.traceparent).toBe(`00-${TRACE}-${put?.spanId ?? ''}-01`);
    const lines = stack.logLines().filter(({ traceId }) => traceId === TRACE);
    expect(new Set(lines.map(({ event }) => event))).toEqual(
      new Set(['request', 'audit', 'cluster request']),
    );
  });

  it('of a reconcile have its requests to the cluster', async () => {
    const namespace = await stack.namespace();
    const secrets = secretsOf(admin, namespace);
    await secrets.createWithHistory('reconciled', 1);
    const [snapshot] = await historyOf(stack.kube, namespace);
    await loseLabels(stack.kube, namespace, snapshot?.metadata.name ?? '');
    const [span] = await eventually(() => {
      const spans = receiver
        .spans()
        .filter(
          ({ name, attributes }) =>
            name === 'reconcile' && attributes.get('k8s.namespace.name') === namespace,
        )
        .filter(({ traceId }) => inTrace(traceId).length > 1);
      expect(spans).not.toEqual([]);
      return spans;
    });
    expect(span?.parentSpanId ?? '').toBe('');
    expect(span?.attributes.get('reconcile.outcome')).toMatch(/^(done|later|retry)$/);
    const calls = inTrace(span?.traceId ?? '').filter(({ kind }) => kind === CLIENT);
    for (const { parentSpanId } of calls) expect(parentSpanId).toBe(span?.spanId);
  });

  it('of a request that fails have its code, and of unknown addresses no path', async () => {
    const unknown = await spanOf(await admin.get('/api/nowhere/traced-path'));
    expect([unknown.name, unknown.attributes.get('error.type')]).toEqual(['GET', 'routeNotFound']);
    const missing = await spanOf(await admin.get(secretsPath(await stack.namespace(), 'traced-missing')));
    expect([missing.status.code ?? 0, missing.attributes.get('error.type')]).toEqual([0, 'notFound']);
  });

  it.each([
    ['malformed', 'traceparent'],
    ['of another form', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['without an id', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['too long', `01-${TRACE}-${PARENT}-01-${'x'.repeat(4_000)}`],
  ])('begin here when traceparent is %s', async (_, traceparent) => {
    const span = await spanOf(await admin.send('GET', '/api/config', { headers: { traceparent } }));
    expect([span.traceId === TRACE, span.parentSpanId ?? '']).toEqual([false, '']);
  });

  it('contain no value, key, name of a Secret, path, query, state of a client, email or session', () => {
    const text = receiver.text();
    expect(text).not.toMatch(/traced-|value \d|reconciled"|@example|Bearer|session=/);
    expect(receiver.resource().get('service.name')).toBe('secrets-management-service');
    expect(receiver.resource().get('deployment.environment.name')).toBe('test');
    expect(receiver.requests()[0]).toEqual({ url: '/v1/traces', authorization: 'Bearer of-the-receiver' });
    expect(stack.log()).not.toContain('of-the-receiver');
  });
});
