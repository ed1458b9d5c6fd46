import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '../../harness/glewlwyd/browser.ts';
import { freePort } from '../../harness/free-port.ts';
import { callbackFor } from '../../harness/glewlwyd/sign-in.ts';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { ANNA, ANNA_USER, signIn, startFixture, whoIs, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

describe('restarts on either side', () => {
  test('Glewlwyd is restarted between two logins, and within one', async () => {
    await fixture.glewlwyd.provide({ name: 'restarted', keys: [makeSigningKey('ES256')] });
    const service = await fixture.startService({ provider: 'restarted' });
    await signIn(service.url);
    await fixture.glewlwyd.restart();
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });

    const browser = createBrowser();
    const callback = await callbackFor(browser, service.url, ANNA);
    await fixture.glewlwyd.restart();
    expect(await browser.get(callback)).toMatchObject({ status: 302, location: '/' });
  });

  test('the service is restarted within a login, and the session outlives another restart', async () => {
    await fixture.glewlwyd.provide({ name: 'stateless', keys: [makeSigningKey('ES256')] });
    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    const env = { PORT: port, NEXT_PUBLIC_APP_URL: url };
    await fixture.glewlwyd.addClient({ id: 'one-client', redirectUri: `${url}/api/auth/callback` });
    const start = () =>
      fixture.startService({ provider: 'stateless', env: { ...env, OIDC_CLIENT_ID: 'one-client' } });

    const browser = createBrowser();
    const first = await start();
    const callback = await callbackFor(browser, url, ANNA);
    await first.close();
    const second = await start();
    expect(await browser.get(callback)).toMatchObject({ status: 302, location: '/' });
    await second.close();
    await start();
    expect(await whoIs(browser, url)).toMatchObject(ANNA_USER);
  });

  test('a login begun while Glewlwyd is down says so, and the next one works', async () => {
    await fixture.glewlwyd.provide({ name: 'down', keys: [makeSigningKey('ES256')] });
    const service = await fixture.startService({ provider: 'down' });
    await fixture.glewlwyd.stop();
    const refused = await createBrowser().get(new URL('/api/auth/login', service.url));
    expect(refused).toMatchObject({ status: 502 });
    expect(refused.text).toContain('ECONNREFUSED');
    await fixture.glewlwyd.restart();
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
  });
});
