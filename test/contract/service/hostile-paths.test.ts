import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { rawRequest } from '../../harness/raw-request.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const SEGMENTS: readonly string[] = readFileSync(
  new URL('../../data/hostile-paths.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '));

const GOOD = 'a-good-name';
/** Every route with a place for a segment. */
const PLACES: readonly (readonly [method: string, path: (segment: string) => string])[] = [
  ['GET', (segment) => `/api/namespaces/${segment}/secrets`],
  ['POST', (segment) => `/api/namespaces/${segment}/secrets`],
  ['GET', (segment) => `/api/namespaces/${segment}/secrets/${GOOD}`],
  ['GET', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}`],
  ['PUT', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}`],
  ['PATCH', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}`],
  ['GET', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/keys/a`],
  ['DELETE', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}?resourceVersion=1`],
  ['GET', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/versions`],
  ['GET', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/versions/1`],
  ['POST', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/restore`],
  ['GET', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/access`],
  ['GET', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/consumers`],
  ['POST', (segment) => `/api/namespaces/${GOOD}/secrets/${segment}/restart`],
];

const REQUESTED_RESOURCES = [
  'secrets',
  'configmaps',
  'deployments',
  'statefulsets',
  'daemonsets',
  'cronjobs',
];

let stack: Stack;
let cookie: string;

beforeAll(async () => {
  stack = await startStack({ env: { SERVICE_RESTART_ENABLED: 'true' } });
  cookie = await sessionCookie(ADMIN);
});
afterAll(() => stack.close());

/** What reached the cluster for someone's request; the service's own background work spans all namespaces. */
const reached = (since: number) =>
  stack.dev.requests
    .list(since)
    .filter(({ resource }) => REQUESTED_RESOURCES.includes(resource))
    .filter(({ verb, namespace }) => namespace !== '' || (verb !== 'list' && verb !== 'watch'));

describe('route parameters that are hostile to paths', () => {
  it('are many', () => {
    expect(SEGMENTS.length).toBeGreaterThan(100);
  });

  it.each(
    SEGMENTS.map((segment) => [segment.length > 40 ? `${segment.slice(0, 40)}…` : segment, segment] as const),
  )('%s is answered 400 or 404 in every place, and never reaches the cluster', async (_what, segment) => {
    const since = ON_DEV_CLUSTER ? stack.dev.requests.last : 0;
    const answers = await Promise.all(
      PLACES.map(async ([method, path]) => {
        // A namespace may not have what a name may: a dot, or more than 63 characters.
        const headers = { cookie, ...(method === 'GET' ? {} : { 'content-type': 'text/plain' }) };
        const answer = await rawRequest(stack.service.url, { method, path: path(segment), headers });
        return { place: `${method} ${path('*')}`, ...answer };
      }),
    );
    for (const { place, status, text, headers } of answers) {
      expect([400, 404], `${place} answered ${status}`).toContain(status);
      expect(Object.keys(JSON.parse(text) as object), place).toEqual(['error']);
      expect(text, 'the segment is not echoed').not.toContain('njected');
      expect([headers['cache-control'], headers['x-injected']]).toEqual(['no-store', undefined]);
    }
    if (ON_DEV_CLUSTER) expect(reached(since)).toEqual([]);
  });

  it('a name that is merely encoded is the name', async () => {
    const path = `/api/namespaces/${GOOD}/secrets/%61-good%2dname`;
    const answer = await rawRequest(stack.service.url, { path, headers: { cookie } });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { error: 'Secret not found' }]);
  });
});

describe.runIf(ON_DEV_CLUSTER)('the request log', () => {
  it('would show a request that got through', async () => {
    const since = stack.dev.requests.last;
    await stack.admin.get(`/api/namespaces/${GOOD}/secrets/${GOOD}`);
    expect(reached(since)).toHaveLength(1);
  });
});
