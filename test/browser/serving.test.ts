import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageRoutes, readWebPages } from '../../src/api/routes/page-routes.ts';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { startInProcessStack, type InProcessStack } from '../harness/in-process-stack.ts';

let stack: InProcessStack;

beforeAll(async () => {
  stack = await startInProcessStack();
});

afterAll(() => stack.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${stack.url}${path}`, { redirect: 'manual', headers });

async function assetPaths(): Promise<readonly string[]> {
  const index = await (await get('/')).text();
  return [...index.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

const ADDRESSES = [
  '/',
  '/login',
  '/namespaces/team-a',
  '/namespaces/team-a/create',
  '/namespaces/team-a/secrets/database',
  '/namespaces/team-a/secrets/database/edit',
  '/namespaces/team-a/secrets/database/history',
];

test.each(ADDRESSES)('%s is a page that is never stored, under a policy without exceptions', async (path) => {
  const { status, headers } = await get(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  const policy = headers.get('content-security-policy') ?? '';
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy.split(';')).toContain(directive);
  }
  expect(policy).not.toContain('unsafe');
});

test('assets carry the hash of their content and are kept for ever; everything else is not stored', async () => {
  const paths = await assetPaths();
  expect(paths.length).toBeGreaterThan(2);
  for (const path of paths) {
    expect(path).toMatch(/^\/assets\/[A-Za-z-]+-[A-Za-z0-9_-]{8}\.(js|css|svg)$/);
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  for (const path of [
    '/loading.js',
    '/assets/none.js',
    '/assets/',
    '/api/config',
    '/favicon.ico',
    '/index.html',
  ]) {
    expect((await get(path)).headers.get('cache-control'), path).toBe('no-store');
  }
});

test.each([
  ['/', []],
  ['/login', []],
  ['/namespaces/team-a', ['reading']],
  ['/namespaces/team-a/secrets/database/edit', ['reading', 'writing']],
])('%s lets the browser load the code of its screen beside that of the frame: %j', async (path, chunks) => {
  const links = [
    ...(await (await get(path)).text()).matchAll(
      /<link rel="(modulepreload|preload" as="style)" [^>]*href="([^"]+)"/g,
    ),
  ];
  const scripts = links.filter(([, kind]) => kind === 'modulepreload').map(([, , file = '']) => file);
  expect(scripts.map((file) => /^\/assets\/([a-z]+)-/.exec(file)?.[1])).toEqual(chunks);
  for (const [, , file = ''] of links) expect((await get(file)).status).toBe(200);
});

test('assets are compressed for whoever says that they can read it', async () => {
  const [script = ''] = (await assetPaths()).filter(
    (path) => path.includes('/frame-') && path.endsWith('.js'),
  );
  const compressed = await get(script, { 'accept-encoding': 'br, gzip' });
  const plain = await get(script, { 'accept-encoding': 'identity' });
  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('vary')).toBe('Accept-Encoding');
  expect(await compressed.text()).toBe(await plain.text());
});

test.each([
  '/api/nothing',
  '/namespaces',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/index.html',
  '/other',
])('nothing is served at %s', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: 'There is nothing at this address' });
});

test('without a build every address says how to make one', async () => {
  const absent = readWebPages(new URL('absent/', import.meta.url));
  expect(absent).toBeUndefined();
  const routes = pageRoutes(absent);
  expect(routes.map(({ path }) => path)).toEqual(Object.values(PAGE_ROUTES));
  for (const route of routes) {
    const response = await route.handle({} as never);
    expect(response).toMatchObject({ status: 503, bytes: expect.any(Buffer) as Buffer });
    expect('bytes' in response && response.bytes.toString()).toContain('make build');
  }
});
