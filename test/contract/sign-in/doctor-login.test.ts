import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { CONFIDENTIAL_CLIENTS } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { startTlsProxy } from './tls-proxy.ts';
import { account, openDoctorFixture } from './doctor-login-fixture.ts';

const here = openDoctorFixture();

describe('the doctor with --login', () => {
  test('signs someone in, and prints names, types and counts of the claims, never a value', async () => {
    const doctor = here.start();
    const developer = account('developer-a@example.com');
    const page = await fetch(await here.signIn(doctor, developer));
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.headers.getSetCookie()).toEqual([]);
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([0, expect.stringContaining('Sign-in is configured.')]);
    expect(output).toContain(
      `at the provider for the time of this check, to the letter: ${here.redirectUri}`,
    );
    for (const document of ['ID token', 'UserInfo']) {
      expect(output).toMatch(new RegExp(`^ {6}${document} +email: text$`, 'm'));
      expect(output).toMatch(new RegExp(`^ {6}${document} +email_verified: true or false$`, 'm'));
      expect(output).toMatch(new RegExp(`^ {6}${document} +groups: list of 1, all texts$`, 'm'));
    }
    expect(output).toMatch(/^ok {4}email +the service takes email, from UserInfo$/m);
    expect(output).toMatch(/^ok {4}email_verified +says that the email is verified$/m);
    expect(output).toMatch(/^ok {4}groups +1 from groups, from UserInfo$/m);
    expect(output).toMatch(/^ok {4}session +fits 1 of at most 3 cookies, \d+ bytes$/m);
    const { sub, email, name, groups } = developer;
    for (const value of [sub, email, name, ...groups, TEST_SESSION_SECRET])
      expect(output).not.toContain(value);
    expect(output).not.toMatch(/eyJ|service_session|code=/);
  });

  test('takes the configured redirect URI where it leads to this machine, and a confidential client', async () => {
    const { id, secret } = CONFIDENTIAL_CLIENTS.client_secret_basic;
    const client = { OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, OIDC_REDIRECT_URI: here.redirectUri };
    const doctor = here.start(['--login'], client);
    await fetch(await here.signIn(doctor, account('guest@example.com')));
    const { code, output } = await doctor.ended();
    expect(code).toBe(0);
    expect(output).toMatch(
      /^note {2}groups +none: no text and no list of texts in groups, roles, realm_access/m,
    );
    expect(output).not.toContain(secret);
  });

  test('works in production, where the browser comes back over plain http to this machine alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-test-'));
    const certificate = makeCertificate('localhost');
    const agent = new Agent({ connect: { ca: certificate.cert } });
    const proxy = await startTlsProxy({ certificate });
    const provider = await startDevIdp({ port: 0, publicUrl: proxy.url, redirectUris: [here.redirectUri] });
    try {
      proxy.forwardTo(provider.port);
      writeFileSync(join(folder, 'ca.pem'), certificate.cert);
      const doctor = here.start(undefined, {
        NODE_ENV: 'production',
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
        NEXT_PUBLIC_APP_URL: 'https://secrets.example.com',
        OIDC_ISSUER: proxy.url,
        OIDC_ALLOW_HTTP: '',
      });
      const browser = ((url: URL, init: object) =>
        undiciFetch(url, { ...init, dispatcher: agent })) as unknown as typeof globalThis.fetch;
      await fetch(await here.signIn(doctor, account('developer-a@example.com'), browser));
      const { code, output } = await doctor.ended();
      expect([code, output]).toEqual([0, expect.stringMatching(/^ok {4}groups +1 from groups/m)]);
      expect(output).toContain('to the letter: https://secrets.example.com/api/auth/callback');
    } finally {
      await Promise.all([provider.close(), proxy.close(), agent.close()]);
      rmSync(folder, { recursive: true });
    }
  });

  test('makes no session that the service would take: it needs no signing key', async () => {
    const doctor = here.start(undefined, { SESSION_SECRET: '' });
    await fetch(await here.signIn(doctor, account('guest@example.com')));
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}signing key/m)]);
    expect(output).toMatch(/^ok {4}login /m);
  });

  test('says that its port is in use', async () => {
    const server = createServer();
    server.listen(Number(new URL(here.redirectUri).port), '127.0.0.1');
    await once(server, 'listening');
    try {
      const { code, output } = await here.start().ended();
      expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(EADDRINUSE\)/m)]);
    } finally {
      server.close();
    }
  });

  test('does not begin without a provider', async () => {
    const { code, output } = await here.start(undefined, { OIDC_ISSUER: 'http://127.0.0.1:1' }).ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^note {2}login +not tried/m)]);
  });

  test.each([
    [['--sign-in']],
    [['extra']],
    [['--redirect-uri', 'http://localhost:8400/']],
    [['--login', '--redirect-uri', 'https://localhost:8400/']],
    [['--login', '--redirect-uri', 'http://secrets.example.com/']],
    [['--login', '--redirect-uri', 'http://localhost:8400/?a']],
    [['--login', '--redirect-uri', 'c4n4ry']],
  ])('explains itself when it is called by %j', async (args) => {
    const { code, output } = await here.start(args).ended();
    expect([code, output]).toEqual([2, expect.stringMatching(/^usage: doctor \[--login/)]);
    expect(output).not.toContain('c4n4ry');
  });
});
