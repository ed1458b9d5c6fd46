import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { proxied, startNginx, type Nginx } from '../../harness/nginx/nginx.ts';
import { ANNA, ANNA_USER, signIn, startFixture, type Fixture } from './fixture.ts';

// Glewlwyd answers UserInfo as the Accept header has it, which nginx in front of it changes for some of its providers.

let fixture: Fixture;
let nginx: Nginx;
beforeAll(async () => {
  const port = await freePort();
  fixture = await startFixture({ publicUrl: `http://localhost:${port}` });
  const at = fixture.glewlwyd.port;
  nginx = await startNginx({
    sites: new Map([
      [
        port,
        [
          proxied('/', at),
          proxied('/api/as-json/userinfo', at, ['proxy_set_header Accept application/json;']),
          proxied('/api/as-jwt/userinfo', at, ['proxy_set_header Accept application/jwt;']),
          proxied('/api/unauthorized/userinfo', at, ['proxy_set_header Authorization "";']),
          'location /api/broken/userinfo { return 503; }',
        ],
      ],
    ]),
  });
});
afterAll(async () => {
  await nginx.close();
  await fixture.close();
});

async function signInAt(provider: string, account = ANNA) {
  await fixture.glewlwyd.provide({ name: provider, keys: [makeSigningKey('ES256')] });
  const service = await fixture.startService({ provider });
  const signedIn = await signIn(service.url, account);
  const lines = (event: string) => service.logLines().filter((line) => line['event'] === event);
  return { signedIn, lines };
}

describe("Glewlwyd's UserInfo", () => {
  test.each(['as-json', 'as-jwt'])('is used %s', async (provider) => {
    const { signedIn, lines } = await signInAt(provider);
    expect(signedIn).toMatchObject({ landedAt: '/', user: ANNA_USER });
    expect(lines('signed in')).toEqual([expect.objectContaining({ userInfo: 'used' })]);
    expect(lines('userinfo failed')).toEqual([]);
  });

  test('that fails is named where an email is missing, which might have come from there', async () => {
    const account = { username: 'no-one', password: 'the password of no one' };
    await fixture.glewlwyd.addUser(account);
    const { signedIn, lines } = await signInAt('broken', account);
    expect(signedIn).toMatchObject({ landedAt: '/login?auth=error', user: null });
    expect(lines('login failed')).toEqual([
      expect.objectContaining({ code: 'email_missing', userInfo: 'failed' }),
    ]);
  });

  test.each([
    ['broken', 503],
    ['unauthorized', 401],
  ] as const)('that is %s leaves the claims of the ID token, and a warning', async (provider, status) => {
    const { signedIn, lines } = await signInAt(provider);
    expect(signedIn).toMatchObject({ landedAt: '/', user: ANNA_USER });
    expect(lines('signed in')).toEqual([expect.objectContaining({ userInfo: 'failed' })]);
    expect(lines('userinfo failed')).toEqual([
      expect.objectContaining({ level: 'warn', stage: 'userinfo', status }),
    ]);
  });
});
