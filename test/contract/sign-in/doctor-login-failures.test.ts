import { describe, expect, test } from 'vitest';
import { UNVERIFIED_ACCOUNT } from '../../../hack/dev-idp/accounts.ts';
import { PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { tryLogin } from '../../../src/auth/doctor/trial-login.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { account, openDoctorFixture } from './doctor-login-fixture.ts';

const here = openDoctorFixture();

describe('the doctor with --login', () => {
  test('says that the service would refuse the email', async () => {
    const doctor = here.start();
    await fetch(await here.signIn(doctor, UNVERIFIED_ACCOUNT));
    const { code, output } = await doctor.ended();
    expect(code).toBe(1);
    expect(output).toMatch(/^FIX {3}login +\(.*email_unverified.*OIDC_ALLOW_UNVERIFIED_EMAIL/m);
    expect(output).toMatch(/^ {6}ID token +email_verified: true or false$/m);
    expect(output).not.toContain(UNVERIFIED_ACCOUNT.email);
  });

  test('says which claim is missing', async () => {
    const doctor = here.start(undefined, { OIDC_USERNAME_CLAIM: 'preferred_username' });
    await fetch(await here.signIn(doctor, account('guest@example.com')));
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*email_missing/m)]);
  });

  test('refuses a callback of another login, and takes no second one', async () => {
    const doctor = here.start();
    const callback = await here.signIn(doctor, account('guest@example.com'));
    const forged = new URL(callback);
    forged.searchParams.set('state', 'c4n4ry');
    expect((await fetch(forged)).status).toBe(200);
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*state_mismatch/m)]);
    expect(output).not.toContain('c4n4ry');
    await expect(fetch(callback)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('refuses an ID token whose nonce is that of another login', async () => {
    const doctor = here.start();
    const changed = await doctor.address();
    changed.searchParams.set('nonce', 'c4n4ry');
    await fetch(
      await here.signIn({ ...doctor, address: () => Promise.resolve(changed) }, account('guest@example.com')),
    );
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*nonce_mismatch/m)]);
    expect(output).not.toMatch(/^ {6}ID token /m);
  });

  test('has the provider check the PKCE verifier', async () => {
    const doctor = here.start();
    const changed = await doctor.address();
    expect(changed.searchParams.get('code_challenge_method')).toBe('S256');
    changed.searchParams.set('code_challenge', 'A'.repeat(43));
    await fetch(
      await here.signIn({ ...doctor, address: () => Promise.resolve(changed) }, account('guest@example.com')),
    );
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FIX {3}login +\(.*invalid_grant/m)]);
  });

  test('says that the person cancelled, with the code of the provider and not its text', async () => {
    const doctor = here.start();
    const start = await doctor.address();
    const parameters = { error: 'access_denied', error_description: 'c4n4ry' };
    const query = new URLSearchParams({ ...parameters, state: start.searchParams.get('state') ?? '' });
    await fetch(`${here.redirectUri}?${query.toString()}`);
    const { code, output } = await doctor.ended();
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^FIX {3}login +\(callback, person_declined, .*access_denied/m),
    ]);
    expect(output).not.toContain('c4n4ry');
  });

  test('waits on for the callback when something else is requested', async () => {
    const doctor = here.start();
    const callback = await here.signIn(doctor, account('guest@example.com'));
    const { origin } = callback;
    const statuses = [
      (await fetch(`${origin}/favicon.ico`)).status,
      (await fetch(here.redirectUri)).status,
      (await fetch(callback, { method: 'POST' })).status,
      (await fetch(callback)).status,
    ];
    expect(statuses).toEqual([404, 400, 405, 200]);
    expect((await doctor.ended()).code).toBe(0);
  });

  test('says that UserInfo failed, with the status, where the service goes on without it', async () => {
    const settings = readSettings({
      OIDC_ISSUER: here.idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
    });
    const { promise: address, resolve } = Promise.withResolvers<URL>();
    const login = tryLogin({
      settings,
      fetch: (url, init) =>
        url === `${here.idp.issuer}/me`
          ? Promise.resolve(new Response('c4n4ry', { status: 503 }))
          : fetch(url, init),
      now: Date.now,
      redirectUri: here.redirectUri,
      print: (line) => {
        if (line.startsWith('http')) resolve(new URL(line));
      },
    });
    const doctor = { address: () => address, ended: () => Promise.reject(new Error('there is no process')) };
    await fetch(await here.signIn(doctor, account('developer-a@example.com')));
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
      OIDC_ISSUER: here.idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
    });
    const printed: string[] = [];
    const results = await tryLogin({
      settings,
      fetch: globalThis.fetch,
      now: Date.now,
      redirectUri: here.redirectUri,
      print: (line) => printed.push(line),
      timeoutMs: 100,
    });
    expect(results).toMatchObject([{ step: 'login', verdict: 'fix' }]);
    expect(results[0]?.text).toContain('in time');
    expect(printed).toContainEqual(expect.stringMatching(/^http\S+\/auth\?/));
    await expect(fetch(`${here.redirectUri}?code=x`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
