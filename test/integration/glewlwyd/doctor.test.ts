import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineSignIn } from '../../../src/auth/doctor/examine-sign-in.ts';
import { exitCodeFor, reportLines } from '../../../src/auth/doctor/check-result.ts';
import { tryLogin } from '../../../src/auth/doctor/trial-login.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { freePort } from '../../harness/free-port.ts';
import { createBrowser } from '../../harness/glewlwyd/browser.ts';
import { startGlewlwyd, type Glewlwyd } from '../../harness/glewlwyd/glewlwyd.ts';
import { callbackFrom } from '../../harness/glewlwyd/sign-in.ts';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { ANNA, ANNA_USER } from './fixture.ts';

const APP = 'http://localhost:3000';
const USER = { ...ANNA, ...ANNA_USER };
const SECRET = 'a-secret_with~punctuation/';

let glewlwyd: Glewlwyd;
let loopback: string;
beforeAll(async () => {
  glewlwyd = await startGlewlwyd();
  await glewlwyd.provide({ name: 'oidc', keys: [makeSigningKey('ES256')] });
  await glewlwyd.provide({ name: 'shared-secret', keys: [makeSigningKey('HS256')] });
  const redirectUri = `${APP}/api/auth/callback`;
  loopback = `http://localhost:${await freePort()}/api/auth/callback`;
  await glewlwyd.addClient({ id: 'doctor', redirectUri: loopback });
  await glewlwyd.addUser(USER);
  await glewlwyd.addClient({ id: 'public', redirectUri });
  await glewlwyd.addClient({ id: 'basic', redirectUri, secret: SECRET, authMethod: 'client_secret_basic' });
  await glewlwyd.addClient({ id: 'post', redirectUri, secret: SECRET, authMethod: 'client_secret_post' });
});
afterAll(() => glewlwyd.close());

function settingsFor(environment: Readonly<Record<string, string>>) {
  return readSettings({
    NEXT_PUBLIC_APP_URL: APP,
    SESSION_SECRET: TEST_SESSION_SECRET,
    OIDC_ISSUER: glewlwyd.issuer('oidc'),
    OIDC_ALLOW_HTTP: 'true',
    ...environment,
  });
}

function examine(environment: Readonly<Record<string, string>>) {
  const settings = settingsFor(environment);
  return examineSignIn({ settings, fetch: globalThis.fetch, now: Date.now }, environment);
}

const BY_BASIC = { OIDC_CLIENT_ID: 'basic', OIDC_CLIENT_SECRET: SECRET };
const BY_POST = {
  OIDC_CLIENT_ID: 'post',
  OIDC_CLIENT_SECRET: SECRET,
  OIDC_CLIENT_AUTH_METHOD: 'client_secret_post',
};

const resultOf = async (environment: Readonly<Record<string, string>>, step: string) =>
  (await examine(environment)).find((result) => result.step === step);

describe('the doctor at Glewlwyd', () => {
  test.each([
    ['a public client', { OIDC_CLIENT_ID: 'public' }],
    ['client_secret_basic', BY_BASIC],
    ['client_secret_post', BY_POST],
  ])('finds %s accepted, and nothing to fix', async (_what, environment) => {
    const results = await examine(environment);
    expect(exitCodeFor(results)).toBe(0);
    expect(results).toContainEqual(expect.objectContaining({ step: 'token endpoint', verdict: 'ok' }));
  });

  test.each([
    [
      'a wrong secret by client_secret_basic',
      { ...BY_BASIC, OIDC_CLIENT_SECRET: 'another-secret' },
      'client_secret_post is not accepted either',
    ],
    [
      'a wrong secret by client_secret_post',
      { ...BY_POST, OIDC_CLIENT_SECRET: 'another-secret' },
      'client_secret_basic is not accepted either',
    ],
    ['a client that does not exist', { ...BY_BASIC, OIDC_CLIENT_ID: 'no-one' }, 'Correct OIDC_CLIENT_ID'],
    ['no secret where the client has one', { OIDC_CLIENT_ID: 'basic' }, 'Set OIDC_CLIENT_SECRET'],
    [
      'a secret where the client has none',
      { ...BY_BASIC, OIDC_CLIENT_ID: 'public' },
      'unset OIDC_CLIENT_SECRET',
    ],
    [
      'client_secret_post where the client has the other method',
      { ...BY_POST, OIDC_CLIENT_ID: 'basic' },
      'set OIDC_CLIENT_AUTH_METHOD=client_secret_basic',
    ],
    [
      'client_secret_basic where the client has the other method',
      { ...BY_BASIC, OIDC_CLIENT_ID: 'post' },
      'set OIDC_CLIENT_AUTH_METHOD=client_secret_post',
    ],
  ])('finds %s refused, and names the cure', async (_what, environment, cure) => {
    const found = await resultOf(environment, 'token endpoint');
    expect(found).toMatchObject({ verdict: 'fix', text: expect.stringContaining(cure) as string });
    expect(found?.text).not.toMatch(/another-secret|punctuation/);
  });

  test('finds a provider that signs with a shared secret to be fixed', async () => {
    const environment = { ...BY_BASIC, OIDC_ISSUER: glewlwyd.issuer('shared-secret') };
    expect(await resultOf(environment, 'ID token signature')).toMatchObject({ verdict: 'fix' });
  });

  test('signs someone in by --login, and names the claims without their values', async () => {
    const address = Promise.withResolvers<URL>();
    const results = tryLogin({
      settings: settingsFor({ OIDC_CLIENT_ID: 'doctor' }),
      fetch: globalThis.fetch,
      now: Date.now,
      redirectUri: loopback,
      print: (line) => {
        if (line.startsWith('http')) address.resolve(new URL(line));
      },
    });
    const browser = createBrowser();
    await browser.get(await callbackFrom(browser, await address.promise, ANNA));
    const found = await results;
    expect(exitCodeFor(found)).toBe(0);
    const report = reportLines(found).join('\n');
    expect(report).toMatch(/groups: list of 2, all texts/);
    for (const value of [USER.email, USER.name, ...USER.groups]) expect(report).not.toContain(value);
  });
});
