import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { signInOverHttp } from '../../../hack/sign-in-over-http.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { startTlsProxy, type TlsProxy } from './tls-proxy.ts';
import { eventually } from '../../harness/eventually.ts';

// In production, as a process of its own, with everything that users and the service see behind TLS.

const folder = mkdtempSync(join(tmpdir(), 'tls-proxy-test-'));
const certificate = makeCertificate('localhost');
const agent = new Agent({ connect: { ca: certificate.cert } });
const setCookies: string[] = [];
/** Of the answers of callbacks: the bytes of their heads. */
const heads: number[] = [];
/** A browser that trusts the proxies' certificate; Node's own fetch takes no agent of the npm package. */
const browser = (async (url: URL, init: object) => {
  const response = await undiciFetch(url, { ...init, dispatcher: agent });
  if (url.pathname === '/api/auth/callback') {
    setCookies.push(...response.headers.getSetCookie());
    const lines = [...response.headers].map(([name, value]) => name.length + value.length + ': \r\n'.length);
    heads.push(lines.reduce((sum, bytes) => sum + bytes, 'HTTP/1.1 302 Found\r\n\r\n'.length));
  }
  return response;
}) as unknown as typeof globalThis.fetch;

let proxies: readonly [service: TlsProxy, idp: TlsProxy];
let idp: DevIdp;
let stack: Stack;
beforeAll(async () => {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, certificate.cert);
  proxies = await Promise.all([
    startTlsProxy({ certificate, internalHost: 'secrets.internal:8080' }),
    startTlsProxy({ certificate }),
  ]);
  const [front, idpFront] = proxies;
  idp = await startDevIdp({
    port: 0,
    publicUrl: idpFront.url,
    redirectUris: [`${front.url}/api/auth/callback`],
  });
  idpFront.forwardTo(idp.port);
  stack = await startStack({
    env: {
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: caFile,
      NEXT_PUBLIC_APP_URL: front.url,
      OIDC_ISSUER: idpFront.url,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
    },
  });
  front.forwardTo(Number(new URL(stack.service.url).port));
});
afterAll(async () => {
  await stack.close();
  await idp.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await agent.close();
  rmSync(folder, { recursive: true });
});

describe('behind a proxy that terminates TLS, with another host and scheme inside', () => {
  test('a full login works, and its cookies are Secure', async () => {
    const [front] = proxies;
    const cookie = await signInOverHttp({
      serviceUrl: front.url,
      account: 'developer-a@example.com',
      password: 'developer-a-password',
      fetch: browser,
    });
    const me = await undiciFetch(`${front.url}/api/auth/me`, { dispatcher: agent, headers: { cookie } });
    expect(await me.json()).toMatchObject({ user: { email: 'developer-a@example.com', groups: ['team-a'] } });
    expect(setCookies).toHaveLength(4);
    for (const line of setCookies) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(setCookies.map((line) => line.split('=')[0])).toEqual([
      '__Host-service_login_state',
      '__Host-service_login_nonce',
      '__Host-service_login_verifier',
      'service_session',
    ]);
  });

  test('the log has the size of the answer that a proxy has to take', async () => {
    const [head = 0] = heads;
    await eventually(() => {
      const [line] = stack.service.logLines().filter(({ event }) => event === 'signed in');
      expect(line).toMatchObject({ cookieCount: 1, count: 1, groupsLeftOut: 0 });
      expect(line?.['headerBytes']).toBeGreaterThanOrEqual(head);
      expect(line?.['headerBytes']).toBeLessThan(head + 150);
    });
  });

  test('the log of a failed login says that the bases differ, which is no problem here', async () => {
    const [front] = proxies;
    const failed = await undiciFetch(`${front.url}/api/auth/callback?code=x&state=y`, {
      dispatcher: agent,
      redirect: 'manual',
    });
    expect(failed.headers.get('location')).toBe('/login?auth=error');
    // The line comes through a pipe, and may come after the answer.
    await eventually(() => {
      expect(stack.service.logLines()).toContainEqual(
        expect.objectContaining({ event: 'login failed', redirectBaseMatches: false }),
      );
    });
    expect(stack.service.output()).not.toContain('secrets.internal');
  });
});
