import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A } from '../../harness/api-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const ANYWHERE = '/api/namespaces/default/secrets';

describe('SERVICE_RATE_LIMIT and SERVICE_LOGIN_RATE_LIMIT', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { SERVICE_RATE_LIMIT: '5/1m', SERVICE_LOGIN_RATE_LIMIT: '3/1m' } });
  });
  afterAll(() => stack.close());

  it('count requests per person: beyond the limit they are answered 429 with Retry-After and {error}', async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 6; request++) statuses.push((await stack.admin.get(ANYWHERE)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await stack.admin.get(ANYWHERE);
    expect(refused.json).toEqual({ error: 'Too many requests; try again later' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  it('do not make one person pay for another', async () => {
    expect((await stack.developerA.get(ANYWHERE)).status).toBe(200);
  });

  it('give a person no more for another session, whatever the case of its email', async () => {
    for (const email of [ADMIN.email, ADMIN.email.toUpperCase()]) {
      const another = await clientFor(stack.service.url, { ...ADMIN, email, name: 'Another session' });
      expect((await another.get(ANYWHERE)).status, email).toBe(429);
    }
  });

  it('count requests for the own name, too', async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 6; request++)
      statuses.push((await stack.developerB.get('/api/auth/me')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await stack.developerB.get(ANYWHERE)).status).toBe(429);
  });

  it('are not spent by requests without a session', async () => {
    for (let request = 0; request < 8; request++) {
      expect((await stack.anonymous.get(ANYWHERE)).status).toBe(401);
      expect((await stack.anonymous.get('/api/auth/me')).status).toBe(401);
    }
  });

  it('count logins and callbacks per client address', async () => {
    const paths = [
      '/api/auth/login',
      '/api/auth/callback',
      '/api/auth/login',
      '/api/auth/callback',
      '/api/auth/login',
    ];
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await stack.anonymous.get(path)).status);
    // Without a provider a login is 501, and a callback without a transaction goes back to the sign-in page.
    expect(statuses).toEqual([501, 302, 501, 429, 429]);
  });

  it('let no login survive a callback that is one too many', async () => {
    const answer = await stack.anonymous.get('/api/auth/callback?code=x&state=y');
    expect(answer.status).toBe(429);
    const cleared = answer.headers.getSetCookie();
    expect(cleared).toHaveLength(3);
    for (const cookie of cleared) expect(cookie).toMatch(/^service_\w+=;.*Max-Age=0/);
    expect((await stack.anonymous.get('/api/auth/login')).headers.getSetCookie()).toEqual([]);
  });

  it('go by the connection when no proxy is trusted, whatever X-Forwarded-For says', async () => {
    const answer = await stack.anonymous.get('/api/auth/login', {
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(answer.status).toBe(429);
  });
});

describe('TRUST_PROXY', () => {
  it('lets logins be counted by the address that the trusted proxy reports', async () => {
    const stack = await startStack({ env: { SERVICE_LOGIN_RATE_LIMIT: '1/1m', TRUST_PROXY: 'loopback' } });
    try {
      const from = (address: string) =>
        stack.anonymous.get('/api/auth/login', { headers: { 'x-forwarded-for': address } });
      expect((await from('203.0.113.1')).status).toBe(501);
      expect((await from('203.0.113.1')).status).toBe(429);
      expect((await from('203.0.113.2')).status).toBe(501);
    } finally {
      await stack.close();
    }
  });
});

describe('limits set to off', () => {
  it('limit nothing', async () => {
    const stack = await startStack({ env: { SERVICE_RATE_LIMIT: 'off', SERVICE_LOGIN_RATE_LIMIT: 'off' } });
    try {
      const client = await clientFor(stack.service.url, DEVELOPER_A);
      const answers = await Promise.all(Array.from({ length: 100 }, () => client.get(ANYWHERE)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const logins = await Promise.all(Array.from({ length: 80 }, () => client.get('/api/auth/login')));
      expect(new Set(logins.map(({ status }) => status))).toEqual(new Set([501]));
    } finally {
      await stack.close();
    }
  });
});

describe('answers in production', () => {
  it('carry strict security headers', async () => {
    const stack = await startStack({
      env: { NODE_ENV: 'production', NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' },
    });
    try {
      const client = await clientFor(stack.service.url, ADMIN);
      for (const path of ['/api/config', ANYWHERE, '/login', '/nothing-here']) {
        const { headers } = await client.get(path);
        expect(headers.get('strict-transport-security'), path).toMatch(/^max-age=31536000/);
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        expect(headers.get('referrer-policy'), path).toBe('no-referrer');
        expect(headers.get('cache-control'), path).toBe('no-store');
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy, path).toContain("default-src 'none'");
        expect(policy, path).toContain("frame-ancestors 'none'");
        expect(policy, path).not.toMatch(/unsafe-|\*/);
        expect(headers.get('x-powered-by'), path).toBeNull();
      }
    } finally {
      await stack.close();
    }
  });
});
