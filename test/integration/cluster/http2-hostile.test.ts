import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { WATCH } from './gateway-fixture.ts';
import { certificate, running, secureGateway } from './http2-fixture.ts';

const asText = (text: string): string => text;

// RFC 9113, section 6, and RFC 7541 for the header block of `:status: 200`.
const [DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, CONTINUATION] = [
  0, 1, 3, 4, 5, 6, 9,
] as const;
const [ACK, END_STREAM, END_HEADERS] = [1, 1, 4] as const;
const OK = Buffer.of(0x88);
const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const MAX_FRAME_BYTES = 16_384;

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const response = (stream: number): Buffer => frame(HEADERS, END_HEADERS, stream, OK);
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
/** A header field that is not indexed: its name of one byte, and a value of 1,000. */
const FIELD = Buffer.concat([Buffer.of(0x00, 0x01, 0x61, 0x7f, 0xe9, 0x06), Buffer.alloc(1_000, 'b')]);
const headerFields = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => FIELD));

/** Promises the response to a GET. */
const push = (stream: number, promised: number): Buffer => {
  const payload = Buffer.concat([zeros(4), Buffer.of(0x82, 0x87, 0x84, 0x01, 0x01, 0x61)]);
  payload.writeUInt32BE(promised);
  return frame(PUSH_PROMISE, END_HEADERS, stream, payload);
};

function endlessPushes(): Attack {
  let promised = 0;
  return { begin: response, repeat: (stream) => push(stream, (promised += 2)), acknowledges: false };
}

/** What a server sends to the first stream, once and then without end. */
interface Attack {
  readonly begin: (stream: number) => Buffer;
  readonly repeat?: (stream: number) => Buffer;
  /** Whether the client's settings apply; they do by default. */
  readonly acknowledges?: boolean;
}

const FAR_MORE_THAN_ACCEPTED = 64 * 1_024 * 1_024;
const PER_WRITE = 256;

/** Answers the first stream with an attack, and counts what could be sent of it. */
async function startAttacker({ begin, repeat, acknowledges = true }: Attack) {
  const state = { sentBytes: 0, isOpen: true };
  const attack = async (socket: TLSSocket, stream: number): Promise<void> => {
    socket.write(begin(stream));
    if (repeat === undefined) return;
    const chunk = Buffer.concat(Array.from({ length: PER_WRITE }, () => repeat(stream)));
    while (state.isOpen && state.sentBytes < FAR_MORE_THAN_ACCEPTED) {
      state.sentBytes += chunk.byteLength;
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  };
  const server = createServer({ ...certificate, ALPNProtocols: ['h2'] }, (socket) => {
    let received = Buffer.alloc(0);
    let isAttacking = false;
    socket.on('error', () => undefined); // the client may end it at any time
    socket.on('close', () => {
      state.isOpen = false;
    });
    socket.write(Buffer.concat([frame(SETTINGS, 0, 0), acknowledges ? frame(SETTINGS, ACK, 0) : zeros(0)]));
    socket.on('data', (chunk) => {
      if (isAttacking) return;
      received = Buffer.concat([received, chunk]);
      const stream = streamOpenedIn(received);
      if (stream === undefined) return;
      isAttacking = true;
      attack(socket, stream).catch(() => undefined); // ended by the client, which is what is tested
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, state };
}

/** The stream of the first HEADERS frame of a client. */
function streamOpenedIn(received: Buffer): number | undefined {
  for (let at = PREFACE_BYTES; at + FRAME_HEAD_BYTES <= received.byteLength;) {
    if (received.readUInt8(at + 3) === HEADERS) return received.readUInt32BE(at + 5);
    at += FRAME_HEAD_BYTES + received.readUIntBE(at, 3);
  }
  return undefined;
}

const ATTACKS: readonly (readonly [string, Attack])[] = [
  ['pushes', { begin: (stream) => Buffer.concat([response(stream), push(stream, 2)]) }],
  ['pushes without having acknowledged', endlessPushes()],
  ['floods with settings', { begin: response, repeat: () => frame(SETTINGS, 0, 0, zeros(0)) }],
  ['floods with pings', { begin: response, repeat: () => frame(PING, 0, 0, zeros(8)) }],
  [
    'resets streams that were never opened',
    { begin: response, repeat: () => frame(RST_STREAM, 0, 101, zeros(4)) },
  ],
  [
    'never ends its headers',
    {
      begin: (stream) => frame(HEADERS, 0, stream, OK),
      repeat: (stream) => frame(CONTINUATION, 0, stream, headerFields(10)),
    },
  ],
  [
    'sends more than the window',
    { begin: response, repeat: (stream) => frame(DATA, 0, stream, zeros(MAX_FRAME_BYTES)) },
  ],
];

describe('a server that abuses HTTP/2', () => {
  it.each(ATTACKS)('and %s loses the connection before much of it has arrived', async (_what, attack) => {
    const server = await startAttacker(attack);
    const { gateway } = secureGateway(server.url);
    const reading = async (): Promise<void> => {
      const stream = await gateway.stream(WATCH, running(), asText);
      // Not reading is what lets the most arrive.
      await eventually(() => {
        expect(server.state.isOpen).toBe(false);
      });
      for await (const line of stream.lines) expect(line).toBeDefined();
    };
    await expect(reading()).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => {
      expect(server.state.isOpen).toBe(false);
    });
    expect(server.state.sentBytes).toBeLessThan(FAR_MORE_THAN_ACCEPTED);
  });

  it('and sends data after the end has its stream end there', async () => {
    const server = await startAttacker({
      begin: (stream) =>
        Buffer.concat([response(stream), frame(DATA, END_STREAM, stream, Buffer.from('{"n":1}\n'))]),
      repeat: (stream) => frame(DATA, 0, stream, Buffer.from('{"n":2}\n')),
    });
    const { gateway } = secureGateway(server.url);
    const { lines } = await gateway.stream(WATCH, running(), asText);
    expect(await Array.fromAsync(lines)).toEqual(['{"n":1}']);
  });

  it('and sends more header fields than any cluster has them refused', async () => {
    const small = Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.of(0x00, 0x01, 0x61, 0x01, 0x62)));
    const begin = (stream: number): Buffer => frame(HEADERS, END_HEADERS, stream, Buffer.concat([OK, small]));
    const server = await startAttacker({ begin });
    const { gateway } = secureGateway(server.url);
    await expect(gateway.stream(WATCH, running(), asText)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('and fills one stream does not hold up another', async () => {
    const server = createSecureServer({ ...certificate });
    let accepted = 0;
    let streams = 0;
    server.on('stream', (stream) => {
      stream.on('error', () => undefined); // as above
      stream.respond({ ':status': 200 });
      if (streams++ > 0) stream.end('{"n":1}\n');
      else
        for (let part = 0; part < 512; part++)
          stream.write(zeros(MAX_FRAME_BYTES), () => (accepted += MAX_FRAME_BYTES));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
    });
    const { gateway } = secureGateway(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await gateway.stream(WATCH, running(), asText);
    await eventually(() => {
      expect(accepted).toBeGreaterThan(0);
    });
    const { lines } = await gateway.stream(WATCH, running(), asText);
    expect(await Array.fromAsync(lines)).toEqual(['{"n":1}']);
    expect(accepted).toBeLessThan(1_048_576);
  });
});
