import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Services } from '../../../src/api/runner/route.ts';
import { runRoute } from '../../../src/api/runner/run-route.ts';
import type { ConnectionTimes } from '../../../src/server/connection-bounds.ts';
import { overHttp1, overHttp2 } from '../../harness/both-protocols.ts';
import { cert, FRAME, get, GET_ROOT, NEVER, open, openRaw, reset, serve } from './http2-fixture.ts';
import { eventually } from '../../harness/eventually.ts';

const HEAD_ROOT = { method: 'HEAD', path: '/' };
const BYTES = randomBytes(32 * 2 ** 20);

/** A route whose response is {@link BYTES}. */
async function serveBytes(times: Partial<ConnectionTimes> = NEVER) {
  const connections: Socket[] = [];
  const handle = () => ({ status: 200, bytes: BYTES, headers: { 'Content-Type': 'text/plain' } });
  const run = runRoute({ method: 'GET', path: '/', access: 'page', handle }, {} as Services);
  const { port, refused } = await serve(
    (request, response) => {
      connections.push(request.socket);
      Object.assign(response, { locals: { trace: {} } });
      return run(request as Request, response as Response, () => undefined);
    },
    { times },
  );
  return { port, refused, connections };
}

async function openUnread(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: cert });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return socket;
}

describe('a large response over TLS', () => {
  it('waits for its client: unread, it is given no more of it than the network takes', async () => {
    const { port, connections } = await serveBytes();
    const socket = await openUnread(port);
    await eventually(() => {
      expect(connections[0]?.bytesWritten).toBeGreaterThan(0);
    });
    await sleep(100);
    expect(connections[0]?.bytesWritten).toBeLessThan(BYTES.length / 2);
    expect((await buffer(socket)).subarray(-BYTES.length).equals(BYTES)).toBe(true);
  });

  it('arrives as a whole, and HEAD has its length alone, over both protocols', async () => {
    const { port } = await serveBytes();
    const session = await open(port);
    const send = [
      (wanted: typeof GET_ROOT) => overHttp1(port, cert, wanted),
      (wanted: typeof GET_ROOT) => overHttp2(session, wanted),
    ];
    for (const over of send) {
      const [get, head] = [await over(GET_ROOT), await over(HEAD_ROOT)];
      expect(get.body.equals(BYTES)).toBe(true);
      expect(head.body.length).toBe(0);
      const lengths = [get, head].map(({ headers }) => headers['content-length']);
      expect(lengths).toEqual([String(BYTES.length), String(BYTES.length)]);
    }
  });

  it('is cut when its client stops reading, over both protocols', async () => {
    const { port, refused, connections } = await serveBytes({ stall: 200 });
    await openUnread(port);
    const { socket } = await openRaw(port, { reads: false });
    socket.pause().write(get(1));
    await eventually(() => {
      expect(refused).toEqual(['answer_stalled', 'answer_stalled']);
    });
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('ends without an error when its client resets it, or closes the connection', async () => {
    const { port, connections } = await serveBytes();
    const { socket, state, closed } = await openRaw(port);
    const isThere = (type: number, stream: number) =>
      eventually(() => {
        expect(state.frames).toContainEqual(expect.objectContaining({ type, stream }));
      });
    socket.write(get(1));
    await isThere(FRAME.data, 1);
    socket.write(Buffer.concat([reset(1), get(3)]));
    await isThere(FRAME.headers, 3);
    socket.destroy();
    await closed;
    await eventually(() => {
      expect(connections.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    });
  });
});
