import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../../harness/raw-request.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start({ AUTH_DISABLED: 'true', SESSION_SECRET: '' });
});
afterAll(() => fixture.close());

describe('AUTH_DISABLED=true', () => {
  test('serves every request as the mock admin, without a key or a cookie', async () => {
    const me = await fetch(`${service.url}/api/auth/me`);
    expect(me.status).toBe(200);
    expect(await me.json()).toEqual({
      user: { sub: 'local-bypass', email: 'admin@localhost', name: expect.any(String) as string, groups: [] },
    });
    expect((await fetch(`${service.url}/api/namespaces`)).status).toBe(200);
  });

  test('redirects a login to / without minting a token', async () => {
    const login = await fetch(`${service.url}/api/auth/login`, { redirect: 'manual' });
    expect(login.status).toBe(302);
    expect(login.headers.get('location')).toBe('/');
    expect(login.headers.getSetCookie()).toEqual([]);
  });

  test('can be seen in the configuration, in the log and in a metric', async () => {
    const config = (await (await fetch(`${service.url}/api/config`)).json()) as { authDisabled: boolean };
    expect(config.authDisabled).toBe(true);
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ level: 'warn', variable: 'AUTH_DISABLED' }),
    );
    expect(await (await fetch(`${service.opsUrl}/metrics`)).text()).toMatch(/^\w*auth_disabled\w* 1$/m);
  });

  test('answers 403 before anything else to another host name', async () => {
    const send = (path: string, host: string, method = 'GET') =>
      rawRequest(service.url, { path, method, headers: { host } });
    const { port } = new URL(service.url);
    for (const path of [
      '/',
      '/api/auth/me',
      '/api/namespaces',
      '/api/config',
      '/nowhere',
      '/api/auth/login',
    ]) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await send(path, `evil.example:${port}`, method);
        expect([path, method, status]).toEqual([path, method, 403]);
        expect(JSON.parse(text)).toEqual({ error: expect.stringContaining('localhost') as string });
      }
    }
    for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]:9'])
      expect((await send('/api/auth/me', host)).status).toBe(200);
    expect(service.logLines()).toContainEqual(expect.objectContaining({ code: 'foreignHost', status: 403 }));
    expect(service.log()).not.toContain('evil.example');
  });

  test('with sign-in enabled every name is served', async () => {
    const other = await fixture.start();
    const { status } = await rawRequest(other.url, {
      path: '/api/config',
      headers: { host: 'pod.internal' },
    });
    expect(status).toBe(200);
  });

  test('is off unless it is requested', async () => {
    const other = await fixture.start();
    const config = (await (await fetch(`${other.url}/api/config`)).json()) as { authDisabled: boolean };
    expect(config.authDisabled).toBe(false);
    expect((await fetch(`${other.url}/api/auth/me`)).status).toBe(401);
    expect(await (await fetch(`${other.opsUrl}/metrics`)).text()).toMatch(/^\w*auth_disabled\w* 0$/m);
  });
});
