import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComposedService } from '../../contract/sign-in/composed-service.ts';
import { createBrowser } from '../../harness/glewlwyd/browser.ts';
import { callbackFor } from '../../harness/glewlwyd/sign-in.ts';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { ANNA, ANNA_USER, startFixture, whoIs, type Fixture } from './fixture.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.glewlwyd.provide({ name: 'oidc', keys: [makeSigningKey('ES256')] });
  service = await fixture.startService({ provider: 'oidc' });
});
afterAll(() => fixture.close());

describe('the callback of Glewlwyd', () => {
  test('that is visited again, as by the Back button, leads home and keeps the session', async () => {
    const browser = createBrowser();
    const callback = await callbackFor(browser, service.url, ANNA);
    expect(await browser.get(callback)).toMatchObject({ status: 302, location: '/' });
    expect(await browser.get(callback)).toMatchObject({ status: 302, location: '/' });
    expect(await whoIs(browser, service.url)).toMatchObject(ANNA_USER);
  });

  test('signs no one in who has not begun the login, before and after it was used', async () => {
    const browser = createBrowser();
    const callback = await callbackFor(browser, service.url, ANNA);
    const thief = createBrowser();
    expect(await thief.get(callback)).toMatchObject({ location: '/login?auth=error' });
    expect(await browser.get(callback)).toMatchObject({ location: '/' });
    expect(await thief.get(callback)).toMatchObject({ location: '/login?auth=error' });
    expect(await whoIs(thief, service.url)).toBeNull();
  });
});
