import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import express from 'express';
import { expect, onTestFinished } from 'vitest';
import { CONNECTION_TIMES, type ConnectionTimes } from '../../../src/server/connection-bounds.ts';
import { listen, type Listener } from '../../../src/server/listen.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Bound } from '../../../src/observability/metric-table.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { connectHttp2 } from '../../harness/both-protocols.ts';

/** Types of frames (RFC 9113, section 6) and their flags. */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  window: 8,
  continuation: 9,
};
export const END_STREAM = 1;
export const END_HEADERS = 4;

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer | readonly number[] = [],
): Buffer {
  const bytes = Buffer.from(payload);
  const header = Buffer.alloc(9);
  header.writeUIntBE(bytes.byteLength, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, bytes]);
}

/** `GET https://localhost/` by indexes of the static table (RFC 7541, appendix A). */
export const GET_FIELDS = Buffer.concat([Buffer.of(0x82, 0x84, 0x87, 0x41, 9), Buffer.from('localhost')]);

export const get = (stream: number): Buffer =>
  frame(FRAME.headers, END_HEADERS | END_STREAM, stream, GET_FIELDS);
export const reset = (stream: number): Buffer => frame(FRAME.reset, 0, stream, [0, 0, 0, 8]);

/** A connection that sends what it is given, and the frames that have come. */
export async function openRaw(port: number, { reads = true } = {}) {
  const socket: TLSSocket = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: cert,
    ALPNProtocols: ['h2'],
  });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const begun = performance.now();
  const state = { frames: [] as { type: number; stream: number; code: number }[], closedAfter: Infinity };
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      state.closedAfter = performance.now() - begun;
      resolve();
    });
  });
  let rest = Buffer.alloc(0);
  if (reads)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.byteLength >= 9 && rest.byteLength >= 9 + rest.readUIntBE(0, 3)) {
        const length = rest.readUIntBE(0, 3);
        const [type, stream] = [rest[3] ?? 0, rest.readUInt32BE(5)];
        const code =
          type === FRAME.reset ? rest.readUInt32BE(9) : type === FRAME.goAway ? rest.readUInt32BE(13) : 0;
        state.frames.push({ type, stream, code });
        rest = rest.subarray(9 + length);
      }
    });
  await once(socket, 'secureConnect');
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.settings, 0, 0)]));
  return { socket, state, closed };
}

export const NEVER: ConnectionTimes = CONNECTION_TIMES;
/** The time for a header bounds the TLS handshake, too. Node refuses one that is longer than that for a request. */
const TIMES: ConnectionTimes = { ...NEVER, idle: 1_500, stall: 400, exchange: 5_000, check: 50 };
export const { cert, key } = makeCertificate('server');
const validity = { notBefore: new Date(), notAfter: new Date() };

interface Options {
  readonly limit?: number;
  readonly perAddress?: number;
  readonly times?: Partial<ConnectionTimes>;
}

/**
 * Serves a handler by Express, with HTTP/2, until the end of the test. No test makes the process warn: Node does of
 * fields that HTTP/2 does not have.
 */
export async function serve(app: (...parts: Parameters<RequestListener>) => unknown, options: Options = {}) {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => {
    warnings.push(warning);
  };
  process.on('warning', onWarning);
  const refused: Bound[] = [];
  const listener: Listener = await listen(
    express().use((request, response) => void app(request, response)),
    {
      ...{ host: '127.0.0.1', port: 0, logger: createLogger('silent') },
      certificate: {
        follow(use) {
          use({ cert: Buffer.from(cert), key: Buffer.from(key), ...validity });
        },
      },
      maxConnections: options.limit ?? 500,
      maxPerAddress: options.perAddress ?? 500,
      times: { ...TIMES, ...options.times },
      onRefused: (bound) => void refused.push(bound),
    },
  );
  onTestFinished(async () => {
    await listener.stop();
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
  return { ...listener, refused };
}

/** Ended before the service stops. */
export async function open(
  port: number,
  options: Parameters<typeof connectHttp2>[2] = {},
): Promise<ClientHttp2Session> {
  const session = await connectHttp2(port, cert, options);
  onTestFinished(() => {
    session.destroy();
  });
  return session;
}

/** A request whose end is not an error of the test. */
export function begin(session: ClientHttp2Session, method = 'GET'): ClientHttp2Stream {
  const stream = session.request({ ':method': method, ':path': '/' }, { endStream: method === 'GET' });
  stream.on('error', () => undefined);
  return stream;
}

export const GET_ROOT = { method: 'GET', path: '/' };

export const closeOf = (emitter: { once(event: 'close', listener: () => void): unknown }): Promise<void> =>
  new Promise<void>((resolve) => emitter.once('close', resolve));

export const answersOk: RequestListener = (_request, response) => {
  response.end('ok');
};
