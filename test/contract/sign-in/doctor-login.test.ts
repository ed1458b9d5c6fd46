import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNTS, UNVERIFIED_ACCOUNT, type DemoAccount } from '../../../hack/dev-idp/accounts.ts';
import { CONFIDENTIAL_CLIENTS, PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { followLogin } from '../../../hack/sign-in-over-http.ts';
import { tryLogin } from '../../../src/auth/doctor/trial-login.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { freePort } from '../../harness/free-port.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { startTlsProxy } from './tls-proxy.ts';

const DOCTOR = new URL('../../../src/cmd/doctor.ts', import.meta.url).pathname;
const TIMEOUT_MS = 20_000;

let redirectUri: string;
let idp: DevIdp;
beforeAll(async () => {
  redirectUri = `http://localhost:${await freePort()}/api/auth/callback`;
  idp = await startDevIdp({ port: 0, redirectUris: [redirectUri] });
});
afterAll(() => idp.close());

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill();
  running.clear();
});

interface Doctor {
  /** The address that it wants to have opened. */
  address(): Promise<URL>;
  /** Its exit code and everything that it printed. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
}

function startDoctor(
  args: readonly string[] = ['--login', '--redirect-uri', redirectUri],
  environment: Readonly<Record<string, string>> = {},
): Doctor {
  const env = {
    PATH: process.env['PATH'],
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
    OIDC_ALLOW_HTTP: 'true',
    SESSION_SECRET: TEST_SESSION_SECRET,
    ...environment,
  };
  const child = spawn(process.execPath, [DOCTOR, ...args], { env, timeout: TIMEOUT_MS });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  const addressIn = (): string | undefined => /^(http\S+\/auth\?\S+)\n/m.exec(output)?.[1];
  return {
    address: async () => {
      while (addressIn() === undefined && child.exitCode === null) {
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
      const address = addressIn();
      if (address === undefined) throw new Error(`the doctor named no address: ${output}`);
      return new URL(address);
    },
    ended: async () => {
      await closed;
      return { code: child.exitCode, output };
    },
  };
}

async function signIn(
  doctor: Doctor,
  { email, password }: DemoAccount,
  fetch = globalThis.fetch,
): Promise<URL> {
  const isEnd = (url: URL): boolean => url.href.startsWith(redirectUri);
  return followLogin({ start: await doctor.address(), account: email, password, isEnd, fetch });
}

const account = (email: string): DemoAccount => {
  const found = DEMO_ACCOUNTS.find((candidate) => candidate.email === email);
  if (found === undefined) throw new Error('no such account');
  return found;
};

describe('the doctor with --login', () => {
  test('signs someone in, and prints names, types and counts of the claims, never a value', async () => {
    const doctor = startDoctor();
    const developer = account('developer-a@example.com');
    const page = await fetch(await signIn(doctor, developer));
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.headers.getSetCookie()).toEqual([]);
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([0, expect.stringContaining('Sign-in is configured.')]);
    expect(output).toContain(`at the provider for the time of this check, to the letter: ${redirectUri}`);
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
    const client = { OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, OIDC_REDIRECT_URI: redirectUri };
    const doctor = startDoctor(['--login'], client);
    await fetch(await signIn(doctor, account('guest@example.com')));
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
    const provider = await startDevIdp({ port: 0, publicUrl: proxy.url, redirectUris: [redirectUri] });
    try {
      proxy.forwardTo(provider.port);
      writeFileSync(join(folder, 'ca.pem'), certificate.cert);
      const doctor = startDoctor(undefined, {
        NODE_ENV: 'production',
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
        NEXT_PUBLIC_APP_URL: 'https://secrets.example.com',
        OIDC_ISSUER: proxy.url,
        OIDC_ALLOW_HTTP: '',
      });
      const browser = ((url: URL, init: object) =>
        undiciFetch(url, { ...init, dispatcher: agent })) as unknown as typeof globalThis.fetch;
      await fetch(await signIn(doctor, account('developer-a@example.com'), browser));
      const { code, output } = await doctor.ended();
      expect([code, output]).toEqual([0, expect.stringMatching(/^ok {4}groups +1 from groups/m)]);
      expect(output).toContain('to the letter: https://secrets.example.com/api/auth/callback');
    } finally {
      await Promise.all([provider.close(), proxy.close(), agent.close()]);
      rmSync(folder, { recursive: true });
    }
  });

  test('makes no session that the service would take: it needs no signing key', async () => {
    const doctor = startDoctor(undefined, { SESSION_SECRET: '' });
    await fetch(await signIn(doctor, account('guest@example.com')));
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}signing key/m)]);
    expect(output).toMatch(/^ok {4}login /m);
  });

  test('says that the service would refuse the email', async () => {
    const doctor = startDoctor();
    await fetch(await signIn(doctor, UNVERIFIED_ACCOUNT));
    const { code, output } = await doctor.ended();
    expect(code).toBe(1);
    expect(output).toMatch(/^FIX {3}login +\(.*email_unverified.*OIDC_ALLOW_UNVERIFIED_EMAIL/m);
    expect(output).toMatch(/^ {6}ID token +email_verified: true or false$/m);
    expect(output).not.toContain(UNVERIFIED_ACCOUNT.email);
  });

  test('says which claim is missing', async () => {
    const doctor = startDoctor(undefined, { OIDC_USERNAME_CLAIM: 'preferred_username' });
    await fetch(await signIn(doctor, account('guest@example.com')));
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*email_missing/m)]);
  });

  test('refuses a callback of another login, and takes no second one', async () => {
    const doctor = startDoctor();
    const callback = await signIn(doctor, account('guest@example.com'));
    const forged = new URL(callback);
    forged.searchParams.set('state', 'c4n4ry');
    expect((await fetch(forged)).status).toBe(200);
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*state_mismatch/m)]);
    expect(output).not.toContain('c4n4ry');
    await expect(fetch(callback)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('refuses an ID token whose nonce is that of another login', async () => {
    const doctor = startDoctor();
    const changed = await doctor.address();
    changed.searchParams.set('nonce', 'c4n4ry');
    await fetch(
      await signIn({ ...doctor, address: () => Promise.resolve(changed) }, account('guest@example.com')),
    );
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*nonce_mismatch/m)]);
    expect(output).not.toMatch(/^ {6}ID token /m);
  });

  test('has the provider check the PKCE verifier', async () => {
    const doctor = startDoctor();
    const changed = await doctor.address();
    expect(changed.searchParams.get('code_challenge_method')).toBe('S256');
    changed.searchParams.set('code_challenge', 'A'.repeat(43));
    await fetch(
      await signIn({ ...doctor, address: () => Promise.resolve(changed) }, account('guest@example.com')),
    );
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*invalid_grant/m)]);
  });

  test('says that the person cancelled, with the code of the provider and not its text', async () => {
    const doctor = startDoctor();
    const start = await doctor.address();
    const parameters = { error: 'access_denied', error_description: 'c4n4ry' };
    const query = new URLSearchParams({ ...parameters, state: start.searchParams.get('state') ?? '' });
    await fetch(`${redirectUri}?${query.toString()}`);
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^FIX {3}login +\(callback, person_declined, .*access_denied/m),
    ]);
    expect(output).not.toContain('c4n4ry');
  });

  test('waits on for the callback when something else is requested', async () => {
    const doctor = startDoctor();
    const callback = await signIn(doctor, account('guest@example.com'));
    const { origin } = callback;
    const statuses = [
      (await fetch(`${origin}/favicon.ico`)).status,
      (await fetch(redirectUri)).status,
      (await fetch(callback, { method: 'POST' })).status,
      (await fetch(callback)).status,
    ];
    expect(statuses).toEqual([404, 400, 405, 200]);
    expect((await doctor.ended()).code).toBe(0);
  });

  test('says that its port is in use', async () => {
    const server = createServer();
    server.listen(Number(new URL(redirectUri).port), '127.0.0.1');
    await once(server, 'listening');
    try {
      const { code, output } = await startDoctor().ended();
      expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(EADDRINUSE\)/m)]);
    } finally {
      server.close();
    }
  });

  test('says that UserInfo failed, with the status, where the service goes on without it', async () => {
    const settings = readSettings({
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
    });
    const { promise: address, resolve } = Promise.withResolvers<URL>();
    const login = tryLogin({
      settings,
      fetch: (url, init) =>
        url === `${idp.issuer}/me`
          ? Promise.resolve(new Response('c4n4ry', { status: 503 }))
          : fetch(url, init),
      now: Date.now,
      redirectUri,
      print: (line) => {
        if (line.startsWith('http')) resolve(new URL(line));
      },
    });
    const doctor = { address: () => address, ended: () => Promise.reject(new Error('there is no process')) };
    await fetch(await signIn(doctor, account('developer-a@example.com')));
    const results = await login;
    const userInfo = results.filter(({ step }) => step === 'UserInfo');
    expect(userInfo).toEqual([
      expect.objectContaining({
        verdict: 'fix',
        text: expect.stringMatching(/^\(userinfo, .*HTTP 503/) as string,
      }),
    ]);
    expect(results).toContainEqual(expect.objectContaining({ step: 'groups', verdict: 'ok' }));
    expect(JSON.stringify(results)).not.toContain('c4n4ry');
  });

  test('gives up when no one comes back in time, and listens no longer', async () => {
    const settings = readSettings({
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
    });
    const printed: string[] = [];
    const results = await tryLogin({
      settings,
      fetch: globalThis.fetch,
      now: Date.now,
      redirectUri,
      print: (line) => printed.push(line),
      timeoutMs: 100,
    });
    expect(results).toMatchObject([{ step: 'login', verdict: 'fix' }]);
    expect(results[0]?.text).toContain('in time');
    expect(printed).toContainEqual(expect.stringMatching(/^http\S+\/auth\?/));
    await expect(fetch(`${redirectUri}?code=x`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('does not begin without a provider', async () => {
    const { code, output } = await startDoctor(undefined, { OIDC_ISSUER: 'http://127.0.0.1:1' }).ended();
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
    const { code, output } = await startDoctor(args).ended();
    expect([code, output]).toEqual([2, expect.stringMatching(/^usage: doctor \[--login/)]);
    expect(output).not.toContain('c4n4ry');
  });
});
