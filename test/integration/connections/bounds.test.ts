import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { CONNECTION_TIMES, type ConnectionTimes } from '../../../src/server/connection-bounds.ts';
import { listen, type Listener } from '../../../src/server/listen.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Bound } from '../../../src/observability/metric-table.ts';

/** Times that a test can wait for; the real ones are held to their limits below. */
const TIMES: ConnectionTimes = {
  header: 300,
  request: 900,
  idle: 1_500,
  stall: 400,
  exchange: 5_000,
  check: 50,
};
const GET = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

let listener: Listener;
const refused: Bound[] = [];
const sockets: Socket[] = [];

async function serve(
  app: RequestListener,
  options: { limit?: number; perAddress?: number; times?: Partial<ConnectionTimes> } = {},
) {
  listener = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: options.limit ?? 50,
    maxPerAddress: options.perAddress ?? 50,
    times: { ...TIMES, ...options.times },
    onRefused: (bound) => refused.push(bound),
    logger: createLogger('silent'),
  });
}

/** A connection, what has come over it, and when it was closed. */
function open(bytes = '', { reads = true, from = '127.0.0.1' } = {}) {
  const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  const state = { text: '', closedAfter: Infinity };
  const begun = performance.now();
  if (reads) socket.on('data', (chunk: Buffer) => (state.text += chunk.toString('latin1')));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      state.closedAfter = performance.now() - begun;
      resolve();
    });
  });
  if (bytes !== '') socket.write(bytes);
  return { socket, state, closed };
}

const answersOk: RequestListener = (_request, response) => void response.end('ok');

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.stop();
  // Requests that are held are cut only while it stops.
  refused.splice(0);
});

describe('a connection', () => {
  it('that never sends a byte is closed without a word when the time for a header is over', async () => {
    const never = 60_000;
    await serve(answersOk, { times: { request: never, idle: never, stall: never, exchange: never } });
    const { state, closed } = open();
    await closed;
    expect(state.text).toBe('');
    expect(state.closedAfter).toBeLessThan(never);
  });

  it('whose header arrives slowly is answered 408 when its time is over, whatever still drips in', async () => {
    await serve(answersOk);
    const { socket, state, closed } = open('GET / HTTP/1.1\r\n');
    const drip = setInterval(() => socket.write('A: b\r\n'), 50);
    await until(() => state.text !== '');
    clearInterval(drip);
    socket.end();
    await closed;
    expect(state.text).toMatch(/^HTTP\/1.1 408 /);
  });

  it('whose body arrives slowly is answered 408 when its time is over', async () => {
    await serve((request, response) => {
      request.resume().once('end', () => response.end('ok'));
    });
    const { socket, state } = open('POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 50);
    await until(() => state.text !== '');
    clearInterval(drip);
    expect(state.text).toMatch(/^HTTP\/1.1 408 /);
  });

  it('that idles is kept for as long as proxies keep it, and closed then', async () => {
    await serve(answersOk);
    const { socket, state, closed } = open(GET);
    await sleep(TIMES.idle / 2);
    socket.write(GET);
    await closed;
    expect(state.text.match(/200 OK/g)).toHaveLength(2);
    expect(state.closedAfter).toBeGreaterThan(1.5 * TIMES.idle - 100);
  });

  it('whose client takes nothing of its answer is closed, and its bytes are free', async () => {
    await serve((_request, response) => void response.end(Buffer.alloc(32 * 2 ** 20)));
    const { socket, closed } = open(GET, { reads: false });
    socket.pause();
    await until(() => refused.length > 0);
    expect(refused).toEqual(['answer_stalled']);
    socket.resume();
    await closed;
    expect(listener.connections()).toEqual({ idle: 0, busy: 0 });
  });

  it('whose client reads slowly but goes on reading gets all of its answer', async () => {
    const size = 16 * 2 ** 20;
    // Longer in all than a stall may be, and much shorter than an exchange, however busy the machine is.
    const times = { stall: 1_000, exchange: 60_000 };
    await serve((_request, response) => void response.end(Buffer.alloc(size)), { times });
    const { socket } = open(GET, { reads: false });
    let got = 0;
    socket.on('data', (chunk: Buffer) => {
      got += chunk.byteLength;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    await until(() => got > size, 50_000);
    expect(refused).toEqual([]);
  });

  it('whose client reads too slowly for any answer is closed in the end', async () => {
    await serve((_request, response) => void response.end(Buffer.alloc(64 * 2 ** 20)), {
      times: { exchange: 1_000 },
    });
    const { socket } = open(GET, { reads: false });
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 100);
    });
    await until(() => refused.length > 0);
    expect(refused).toEqual(['answer_stalled']);
  });

  it('that waits for work longer than any stall gets its answer', async () => {
    await serve((_request, response) => void setTimeout(() => response.end('late'), 3 * TIMES.stall));
    const { state } = open(GET);
    await until(() => state.text.endsWith('late'));
    expect(refused).toEqual([]);
  });

  it('gets the answers of 16 requests that it sends at once', async () => {
    await serve(answersOk);
    const { state } = open(GET.repeat(16));
    await until(() => (state.text.match(/200 OK/g) ?? []).length === 16);
    expect(refused).toEqual([]);
  });

  it('has the next request handled when the one before it is answered', async () => {
    const held: (() => void)[] = [];
    await serve((_request, response) => {
      held.push(() => response.end('ok'));
    });
    const { state } = open(GET.repeat(3));
    for (let index = 1; index <= 3; index++) {
      await until(() => held.length === index);
      await sleep(20);
      expect(held).toHaveLength(index);
      held[index - 1]?.();
    }
    await until(() => state.text.match(/200 OK/g)?.length === 3);
    expect(listener.connections()).toEqual({ idle: 1, busy: 0 });
  });

  it('is closed when a 17th request comes before the first is answered', async () => {
    let handled = 0;
    await serve(() => {
      handled++;
    });
    const { closed } = open(GET.repeat(500));
    await closed;
    expect([...new Set(refused)]).toEqual(['connection_requests']);
    expect(refused).toHaveLength(1);
    expect(handled).toBe(1);
  });

  it('is answered 431 when a request has more than 100 header fields', async () => {
    let handled = 0;
    await serve((_request, response) => {
      handled++;
      response.end('ok');
    });
    const fields = (count: number): string => 'a:b\r\n'.repeat(count);
    const fits = open(`GET / HTTP/1.1\r\nHost: test\r\n${fields(99)}\r\n`);
    await until(() => fits.state.text.includes('200 OK'));
    const more = open(`GET / HTTP/1.1\r\nHost: test\r\n${fields(100)}\r\n`);
    await more.closed;
    expect(more.state.text).toMatch(/^HTTP\/1.1 431 [^]*Cache-Control: no-store[^]*\{"error":/);
    expect(handled).toBe(1);
  });
});

describe('at the limit of connections', () => {
  const LONG = { header: 60_000, idle: 60_000, stall: 60_000, request: 60_000 };

  it('a new one is closed, whether the others idle or were never used, and those are served', async () => {
    await serve(answersOk, { limit: 3, times: LONG });
    const kept = open(GET);
    await until(() => kept.state.text.includes('200 OK'));
    const unused = [open(), open()];
    await until(() => listener.connections().idle === 3);
    const refusedOne = open(GET);
    await refusedOne.closed;
    expect(refusedOne.state.text).toBe('');
    expect(refused).toEqual(['connections']);
    kept.socket.write(GET);
    await until(() => kept.state.text.match(/200 OK/g)?.length === 2);
    unused[0]?.socket.write(GET);
    await until(() => unused[0]?.state.text.includes('200 OK') === true);
    expect(listener.connections()).toEqual({ idle: 3, busy: 0 });
  });

  it('those that were never used leave their places when the time for a header is over', async () => {
    await serve(answersOk, { limit: 20 });
    const unused = Array.from({ length: 60 }, () => open());
    await until(() => refused.length === 40);
    await Promise.all(unused.map(({ closed }) => closed));
    const { state } = open(GET);
    await until(() => state.text.includes('200 OK'));
    expect(refused.every((bound) => bound === 'connections')).toBe(true);
  });

  it('one address leaves places for others, whatever it holds, and gets its own back', async () => {
    await serve(
      (request, response) => {
        if (request.url === '/') response.end('ok');
      },
      { limit: 20, perAddress: 15, times: { ...LONG, exchange: 60_000 } },
    );
    const held = Array.from({ length: 25 }, () => open('GET /held HTTP/1.1\r\nHost: test\r\n\r\n'));
    await until(() => refused.length === 10 && listener.connections().busy === 15);
    expect(new Set(refused)).toEqual(new Set(['connections_address']));
    for (let index = 0; index < 10; index++) {
      const { socket, state } = open(GET, { from: '127.0.0.2' });
      await until(() => state.text.includes('200 OK'));
      socket.destroy();
    }
    for (const { socket } of held) socket.resetAndDestroy();
    await until(() => listener.connections().busy === 0);
    const { state } = open(GET);
    await until(() => state.text.includes('200 OK'));
    expect(refused.filter((bound) => bound === 'connections_address')).toHaveLength(10);
  });

  it('a new one is closed where all others have requests', async () => {
    await serve(() => undefined, { limit: 2, times: LONG });
    const busy = [open(GET), open(GET)];
    await until(() => listener.connections().busy === 2);
    await open(GET).closed;
    expect(busy.map(({ state }) => state.closedAfter)).toEqual([Infinity, Infinity]);
  });
});

describe('a server that stops', () => {
  it('waits for a request, however quiet its connection is, and not for connections without one', async () => {
    await serve((_request, response) => void setTimeout(() => response.end('late'), 2_000), {
      times: { header: 60_000, idle: 60_000, stall: 60_000, request: 60_000 },
    });
    const silent = [open(), open('GET')];
    const late = open();
    await until(() => listener.connections().idle === 3);
    const begun = performance.now();
    const stopped = listener.stop();
    await sleep(200);
    late.socket.write(GET);
    await stopped;
    expect(performance.now() - begun).toBeLessThan(8_000);
    await late.closed;
    expect(late.state.text).toMatch(/200 OK[^]*late$/);
    for (const { state } of silent) expect(state.text).toBe('');
  });
});

describe('the times that hold in an installation', () => {
  it('end an unused connection sooner than an idle one, and an idle one later than proxies do', () => {
    expect(CONNECTION_TIMES.header + CONNECTION_TIMES.check).toBeLessThan(60_000);
    expect(CONNECTION_TIMES.idle).toBeGreaterThan(60_000);
    expect(CONNECTION_TIMES.exchange).toBeGreaterThan(CONNECTION_TIMES.request + 55_000);
  });
});

const until = (holds: () => boolean, withinMs?: number): Promise<void> =>
  eventually(() => {
    expect(holds()).toBe(true);
  }, withinMs);
