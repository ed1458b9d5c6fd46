import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start();
});
afterAll(() => fixture.close());

/** Sends the head of a form, and as much of the form as is given, on a connection that stays open. */
function beginForm(length: number, sent: string): Socket {
  const head = [
    'POST /api/auth/token HTTP/1.1',
    'Host: localhost',
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
});
