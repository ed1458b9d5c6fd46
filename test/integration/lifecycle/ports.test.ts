import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from '../../harness/answers.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const OPERATIONS = ['/livez', '/readyz', '/metrics'];

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

describe('the operations port', () => {
  it.each(OPERATIONS)('answers %s without a session, never to be stored', async (path) => {
    const answer = await fetch(`${stack.service.opsUrl}${path}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('exposes metrics as text, with the routes that were requested and no names', async () => {
    const namespace = await stack.namespace();
    await stack.admin.get(`/api/namespaces/${namespace}/secrets/name-that-no-one-has`);
    const answer = await fetch(`${stack.service.opsUrl}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    expect(text).toContain(
      'service_http_requests_total{method="GET",route="/api/namespaces/:namespace/secrets/:name",status="404"} 1',
    );
    expect(text).toMatch(
      /^service_cluster_requests_total\{verb="get",resource="secrets",outcome="404"\} 1$/m,
    );
    expect(text).toMatch(/^service_build_info\{version="[^"]+"\} 1$/m);
    expect(text).not.toContain(namespace);
    expect(text).not.toContain('name-that-no-one-has');
  });

  it.each(['/', '/login', '/api/config', '/api/namespaces', '/api/openapi.json', '/absent'])(
    'does not serve %s of the public port',
    async (path) => {
      const answer = await fetch(`${stack.service.opsUrl}${path}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );
});

describe('the public port', () => {
  it.each([...OPERATIONS, '/healthz', '/api/metrics', '/api/readyz', '//metrics', '/metrics/', '/Metrics'])(
    'does not serve %s, to an administrator neither',
    async (path) => {
      errorOf(await stack.admin.get(path), 404);
    },
  );
});
