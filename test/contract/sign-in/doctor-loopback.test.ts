import { afterEach, describe, expect, test } from 'vitest';
import { listenForCallback, type Loopback } from '../../../src/auth/doctor/loopback.ts';
import { freePort } from '../../harness/free-port.ts';

const open: Loopback[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((loopback) => loopback.close()));
});

async function listen(timeoutMs = 5_000) {
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const loopback = await listenForCallback(new URL(redirectUri), timeoutMs);
  open.push(loopback);
  return { redirectUri, loopback };
}

describe('the loopback listener', () => {
  test('takes one callback, and answers those that follow with 410', async () => {
    const { redirectUri, loopback } = await listen();
    const statuses = [];
    for (const query of ['?code=first&state=s', '?code=second&state=s', '?code=third']) {
      statuses.push((await fetch(`${redirectUri}${query}`)).status);
    }
    expect(statuses).toEqual([200, 410, 410]);
    expect(await loopback.callback).toBe('/callback?code=first&state=s');
  });

  test('shows the browser nothing of what it was sent, and lets it keep nothing', async () => {
    const { redirectUri } = await listen();
    const response = await fetch(`${redirectUri}?code=c4n4ry`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'referrer-policy': 'no-referrer',
    });
    expect(await response.text()).not.toContain('c4n4ry');
  });

  test('refuses a header that is too large, and waits on', async () => {
    const { redirectUri, loopback } = await listen();
    expect((await fetch(`${redirectUri}?code=${'x'.repeat(20_000)}`)).status).toBe(431);
    expect((await fetch(`${redirectUri}?code=x`)).status).toBe(200);
    expect(await loopback.callback).toBe('/callback?code=x');
  });

  test('gives up in time', async () => {
    const { loopback } = await listen(20);
    expect(await loopback.callback).toBeUndefined();
  });

  test('is reached from this machine alone', async () => {
    const { redirectUri } = await listen();
    const { port } = new URL(redirectUri);
    await expect(fetch(`http://127.0.0.2:${port}/callback?code=x`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
