import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, DEVELOPER_A, person, sessionCookie, type ApiClient } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import type { Hold } from '../../harness/interception.ts';
import { secretsPath } from '../../harness/secret-paths.ts';

let stack: InProcessStack;
let namespace: string;
let path: string;
let hold: Hold;

beforeEach(async () => {
  stack = await startInProcessStack();
  namespace = await stack.namespace();
  path = `${secretsPath(namespace)}/held`;
  const created = await (await stack.client(ADMIN)).post(secretsPath(namespace), { name: 'held' });
  expect(created.status).toBe(201);
  hold = stack.between.hold(
    ({ method, path: requested }) => method === 'GET' && requested.endsWith('/secrets/held'),
  );
});
afterEach(async () => {
  hold.release();
  await stack.close();
});

const times = <Result>(count: number, work: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => work(index));

const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => {
    expect(await holds()).toBe(true);
  });

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${stack.opsUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? NaN,
  );
}

const refused = (bound: string): Promise<number> => metric(`service_bounds_refused_total{bound="${bound}"}`);
const queued = (): Promise<number> => metric('service_cluster_work{state="queued"}');

/** Requests the held Secret, and returns the statuses that have been answered. */
function requestAll(
  client: ApiClient,
  count: number,
): { readonly statuses: number[]; readonly all: Promise<unknown> } {
  const statuses: number[] = [];
  const all = Promise.all(times(count, async () => statuses.push((await client.get(path)).status)));
  return { statuses, all };
}

describe('while one person sends all they can', () => {
  it('8 of their requests work with the cluster, 64 wait, and what is more is 429 with Retry-After and {error}', async () => {
    const admin = await stack.client(ADMIN);
    const { statuses, all } = requestAll(admin, 100);
    await until(() => statuses.length === 28);
    expect(new Set(statuses)).toEqual(new Set([429]));
    await until(() => hold.count() >= 8);
    expect(hold.count()).toBe(8);
    const answer = await admin.get(path);
    expect(answer.json).toEqual({ error: 'Too many requests at once; try again later' });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await refused('requests_person')).toBe(29);
    expect(await queued()).toBe(64);
    hold.release();
    await all;
    expect(statuses.filter((status) => status === 200)).toHaveLength(72);
    expect(await queued()).toBe(0);
    expect(await metric('service_cluster_work{state="working"}')).toBe(0);
  });

  it('a second session of theirs brings them nothing', async () => {
    const one = requestAll(await stack.client(ADMIN), 72);
    await until(async () => (await queued()) === 64);
    expect((await (await stack.client({ ...ADMIN, name: 'Another session' })).get(path)).status).toBe(429);
    hold.release();
    await one.all;
  });

  it('another person is served: from the cluster, and at once from memory', async () => {
    const greedy = requestAll(await stack.client(ADMIN), 72);
    await until(async () => (await queued()) === 64);
    const other = await stack.client(DEVELOPER_A);
    expect((await other.get(`${path}-absent`)).status).toBe(404);
    expect((await other.get('/api/auth/me')).status).toBe(200);
    expect((await other.get('/api/namespaces')).status).toBe(200);
    hold.release();
    await greedy.all;
  });

  it('they too are served what needs no work with the cluster', async () => {
    const admin = await stack.client(ADMIN);
    const greedy = requestAll(admin, 80);
    await until(async () => (await queued()) === 64);
    const list = await admin.get(secretsPath(namespace));
    expect([list.status, list.headers.get('x-list-source')]).toEqual([200, 'cache']);
    for (const free of ['/api/auth/me', '/api/config', '/login'])
      expect((await admin.get(free)).status).toBe(200);
    hold.release();
    await greedy.all;
  });

  it('a request that has waited for as long as it may take is 503 with Retry-After', async () => {
    const admin = await stack.client(ADMIN);
    // Writes have twice the time of a read.
    const writes = Promise.all(times(8, () => admin.put(path, { resourceVersion: '1' })));
    await until(() => hold.count() === 8);
    const answer = await admin.get(path);
    expect([answer.status, answer.json]).toEqual([503, { error: 'The service is busy; try again later' }]);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await refused('requests_wait')).toBe(1);
    hold.release();
    await writes;
  });
});

describe('whoever sends them', () => {
  it('16 requests work with the cluster, and the next is the one of whoever waits longest', async () => {
    const people = times(3, (index) => person(`person-${index}@example.com`, ['platform-admins']));
    const requested = await Promise.all(people.map(async (one) => requestAll(await stack.client(one), 8)));
    await until(async () => (await queued()) === 8);
    await until(() => hold.count() >= 16);
    expect(hold.count()).toBe(16);
    hold.release();
    await Promise.all(requested.map(({ all }) => all));
    expect(new Set(requested.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
  });

  it('requests whose clients go away wait no longer, and never reach the cluster', async () => {
    const admin = await stack.client(ADMIN);
    const working = requestAll(admin, 8);
    await until(() => hold.count() === 8);
    // A connection that only ends may still be read from; one that is reset is gone.
    const { hostname, port } = new URL(stack.url);
    const cookie = await sessionCookie(ADMIN);
    const left = times(5, () => connect(Number(port), hostname));
    for (const socket of left) {
      socket.write(`GET ${path}-left HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`);
    }
    await until(async () => (await queued()) === 5);
    for (const socket of left) socket.resetAndDestroy();
    await until(async () => (await queued()) === 0);
    hold.release();
    await working.all;
    expect(stack.between.passed.filter(({ path: requested }) => requested.endsWith('-left'))).toEqual([]);
  });
});

describe('while the provider keeps sign-ins waiting', () => {
  it('8 steps of one address are under way, 32 wait, and what is more is 429 and consumes its login', async () => {
    const provider = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const stopProvider = (): void => {
      provider.close();
      provider.closeAllConnections();
    };
    try {
      const { url, opsUrl } = await stack.another({
        env: {
          OIDC_ISSUER: `http://localhost:${(provider.address() as AddressInfo).port}`,
          OIDC_CLIENT_ID: 'test',
          OIDC_ALLOW_HTTP: 'true',
        },
      });
      const statuses: number[] = [];
      const logins = times(50, async () => {
        const answer = await fetch(`${url}/api/auth/login`, { redirect: 'manual' });
        statuses.push(answer.status);
      });
      await until(() => statuses.length === 10);
      expect(new Set(statuses)).toEqual(new Set([429]));
      const callback = await fetch(`${url}/api/auth/callback?code=x&state=y`, { redirect: 'manual' });
      expect([callback.status, callback.headers.get('retry-after')]).toEqual([429, '1']);
      expect(callback.headers.getSetCookie()).toHaveLength(3);
      const text = await (await fetch(`${opsUrl}/metrics`)).text();
      expect(text).toContain('service_bounds_refused_total{bound="sign_ins_address"} 11');
      stopProvider();
      await Promise.all(logins);
    } finally {
      stopProvider();
    }
  });
});
