import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start({ TRUST_PROXY: 'loopback' });
});
afterAll(() => fixture.close());

/** Sends the head of a form, and as much of the form as is given, on a connection that stays open. */
function beginForm(length: number, sent: string, address = '203.0.113.1'): Socket {
  const head = [
    'POST /api/auth/token HTTP/1.1',
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${length}`,
  ];
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write([...head, '', sent].join('\r\n'));
  return socket;
}

describe('the form of POST /api/auth/token', () => {
  it('over the limit is cut off, and its connection closes: no request after it waits there', async () => {
    const form = `code=${'a'.repeat(300_000)}`;
    const answer = Buffer.concat((await beginForm(form.length, form).toArray()) as Buffer[]).toString();
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(answer).toContain('{"error":"The body must have at most 16384 bytes"}');
  });

  it('that does not arrive keeps no one else from signing in', async () => {
    const slow = Array.from({ length: 32 }, (_, index) =>
      beginForm(100, 'code=', `203.0.113.${Math.floor(index / 8)}`),
    );
    await expect.poll(inFlight).toBe(32);
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'x', code_verifier: 'x' });
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${service.url}/api/auth/token`, { method: 'POST', headers, body, signal });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    for (const socket of slow) socket.destroy();
  });
});

async function inFlight(): Promise<number> {
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  return Number(/^service_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
}
