import type { ServerResponse } from 'node:http';
import type { ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../../src/server/body.ts';
import { answerOf, overHttp2 } from '../../harness/both-protocols.ts';
import {
  answersOk,
  begin,
  closeOf,
  FRAME,
  frame,
  get,
  GET_FIELDS,
  GET_ROOT,
  NEVER,
  open,
  openRaw,
  serve,
} from './http2-fixture.ts';

describe('a connection with HTTP/2', () => {
  it('without a request is closed when the time for a header is over', async () => {
    const { port, connections } = await serve(answersOk, { times: { ...NEVER, header: 300 } });
    const session = await open(port);
    const goAway = new Promise((resolve) => session.once('goaway', resolve));
    await closeOf(session);
    expect(await goAway).toBe(0);
    await expect.poll(() => connections()).toEqual({ idle: 0, busy: 0 });
  });

  it('whose first header never ends is closed, too', async () => {
    const { port, connections } = await serve(answersOk, { times: { ...NEVER, header: 300 } });
    const { socket, closed } = await openRaw(port);
    socket.write(frame(FRAME.headers, 0, 1, GET_FIELDS.subarray(0, 3)));
    await closed;
    await expect.poll(() => connections()).toEqual({ idle: 0, busy: 0 });
  });

  it('that idles is kept for as long as proxies keep it and no longer, whatever it pings', async () => {
    const { port } = await serve(answersOk);
    const session = await open(port);
    const begun = performance.now();
    await overHttp2(session, GET_ROOT);
    await sleep(750);
    await overHttp2(session, GET_ROOT);
    const pings = setInterval(() => session.destroyed || session.ping(() => undefined), 50);
    await closeOf(session);
    clearInterval(pings);
    const after = performance.now() - begun;
    expect([after > 2_150, after < 10_000]).toEqual([true, true]);
  });

  it('whose body drips in is answered 408 when its time is over, and serves other requests', async () => {
    const { port } = await serve(
      (request, response) => {
        request.resume().once('end', () => response.end('ok'));
      },
      { times: { header: 900, request: 900 } },
    );
    const session = await open(port);
    const stream = begin(session, 'POST');
    const drip = setInterval(() => stream.write('x'), 50);
    const answer = await answerOf(stream);
    clearInterval(drip);
    expect([answer.status, answer.headers['content-type']]).toEqual([408, 'application/json; charset=utf-8']);
    expect(answer.body.toString()).toBe('{"error":"The request took too long to arrive"}');
    await closeOf(stream);
    expect(stream.rstCode).toBe(0);
    expect((await overHttp2(session, GET_ROOT)).status).toBe(200);
  });

  it('whose client never opens the window of a response is closed', async () => {
    const { port, refused, connections } = await serve(
      (_request, response) => void response.end(Buffer.alloc(2 ** 20)),
      { times: { exchange: 60_000 } },
    );
    const session = await open(port, { settings: { initialWindowSize: 0 } });
    begin(session);
    await closeOf(session);
    expect(refused).toEqual(['answer_stalled']);
    await expect.poll(() => connections()).toEqual({ idle: 0, busy: 0 });
  });

  it('whose client does not read is closed', async () => {
    const { port, refused, connections } = await serve(
      (_request, response) => void response.end(Buffer.alloc(8 * 2 ** 20)),
      { times: { exchange: 60_000 } },
    );
    const { socket } = await openRaw(port, { reads: false });
    socket.pause();
    // Windows as large as they can be.
    for (const stream of [0, 1]) {
      if (stream === 1) socket.write(get(1));
      socket.write(frame(FRAME.window, 0, stream, [0x7f, 0, 0, 0]));
    }
    await expect.poll(() => refused).toEqual(['answer_stalled']);
    await expect.poll(() => connections()).toEqual({ idle: 0, busy: 0 });
  });

  it('whose client reads too slowly for any response is closed in the end', async () => {
    const { port, refused } = await serve((_request, response) => void response.end(Buffer.alloc(2 ** 20)), {
      times: { exchange: 1_000 },
    });
    const { socket, closed, state } = await openRaw(port);
    socket.write(frame(FRAME.settings, 0, 0, [0, 4, 0, 0, 0, 0]));
    socket.write(get(1));
    const drip = setInterval(() => socket.write(frame(FRAME.window, 0, 1, [0, 0, 0, 1])), 20);
    await closed;
    clearInterval(drip);
    expect(refused).toEqual(['answer_stalled']);
    expect(state.closedAfter).toBeGreaterThan(900);
  });

  it('whose client reads slowly but goes on reading gets all of its response', async () => {
    const size = 4 * 2 ** 20;
    const times = { stall: 1_000, exchange: 60_000 };
    const { port, refused } = await serve((_request, response) => void response.end(Buffer.alloc(size)), {
      times,
    });
    const stream = begin(await open(port));
    let got = 0;
    stream.on('data', (chunk: Buffer) => {
      got += chunk.byteLength;
      stream.pause();
      setTimeout(() => stream.resume(), 10);
    });
    await closeOf(stream);
    expect([got, refused]).toEqual([size, []]);
  });

  it('whose form is too long is answered, and not read to its end', async () => {
    const { port } = await serve(async (request, response) => {
      await readForm(request, response).catch((error: unknown) => response.end(String(error)));
    });
    const session = await open(port);
    const type = 'application/x-www-form-urlencoded';
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': type });
    stream.write('x'.repeat(20_000));
    const closed = closeOf(stream);
    expect((await answerOf(stream)).body.toString()).toContain('at most 16384 bytes');
    await closed;
    expect((await overHttp2(session, GET_ROOT)).body.toString()).toContain('urlencoded');
  });

  it('whose request is destroyed by its handler gets a response', async () => {
    const { port } = await serve((request, response) => {
      request.destroy();
      setTimeout(() => response.end('ok'), 10);
    });
    const stream = begin(await open(port), 'POST');
    stream.write('x');
    expect((await answerOf(stream)).body.toString()).toBe('ok');
  });

  it('that waits for work longer than any stall gets its response', async () => {
    const { port } = await serve((_request, response) => void setTimeout(() => response.end('late'), 1_200));
    expect((await overHttp2(await open(port), GET_ROOT)).body.toString()).toBe('late');
  });
});

describe('a response', () => {
  it.each(['GET', 'HEAD', 'POST'])('to a %s that was reset is destroyed and not finished', async (method) => {
    const responses: ServerResponse[] = [];
    const { port } = await serve((_request, response) => responses.push(response));
    const stream = begin(await open(port), method);
    await expect.poll(() => responses.length).toBe(1);
    const stateOf = () => responses.map(({ destroyed, writableFinished }) => [destroyed, writableFinished]);
    expect(stateOf()).toEqual([[false, false]]);
    stream.close(8);
    await expect.poll(stateOf).toEqual([[true, false]]);
    await sleep(50);
    expect(stateOf()).toEqual([[true, false]]);
  });

  it.each([
    ['ended', true],
    ['continues', false],
  ])('closes although its request is paused and %s', async (_how, ends) => {
    let closed = false;
    const { port, connections } = await serve(
      (request, response) => {
        response.once('close', () => (closed = true));
        request.once('data', () => {
          request.pause();
          setTimeout(() => response.end('ok'), 100);
        });
      },
      { times: NEVER },
    );
    const stream = begin(await open(port), 'POST');
    // More than a request and its stream keep unread.
    stream.write('x'.repeat(400_000));
    if (ends) stream.end();
    expect((await answerOf(stream)).body.toString()).toBe('ok');
    await expect.poll(() => closed).toBe(true);
    expect(connections()).toEqual({ idle: 1, busy: 0 });
  });

  it('that was sent is finished when it closes', async () => {
    let finished: boolean | undefined;
    const { port } = await serve((_request, response) => {
      response.once('close', () => (finished = response.writableFinished)).end('ok');
    });
    await overHttp2(await open(port), GET_ROOT);
    await expect.poll(() => finished).toBe(true);
  });
});

describe('requests at once', () => {
  it('beyond 32 on a connection are refused before anything handles them', async () => {
    let handled = 0;
    const { port, connections } = await serve(() => handled++, { times: NEVER });
    const { socket, state } = await openRaw(port);
    socket.write(Buffer.concat(Array.from({ length: 40 }, (_, index) => get(2 * index + 1))));
    const resets = () => state.frames.filter(({ type, code }) => type === FRAME.reset && code === 7);
    await expect.poll(() => resets().length).toBe(8);
    expect(handled).toBe(32);
    expect(connections()).toEqual({ idle: 0, busy: 1 });
    socket.destroy();
    await expect.poll(() => connections()).toEqual({ idle: 0, busy: 0 });
  });

  it.each([
    ['by one address', { perAddress: 20, limit: 100 }, 'connections_address'],
    ['in all', { perAddress: 100, limit: 20 }, 'connections'],
  ])('%s are as many as connections, and leave their places', async (_what, limits, bound) => {
    const waiting: (() => void)[] = [];
    const { port, refused } = await serve((_request, response) => waiting.push(() => response.end('ok')), {
      ...limits,
      times: NEVER,
    });
    const sessions = [await open(port), await open(port)];
    const streams = sessions.flatMap((session) => Array.from({ length: 10 }, () => begin(session)));
    await expect.poll(() => waiting.length).toBe(20);
    const [first] = sessions as [ClientHttp2Session];
    const further = begin(first);
    await closeOf(further);
    expect([further.rstCode, refused]).toEqual([7, [bound]]);
    streams[0]?.close(8);
    await sleep(100);
    const next = overHttp2(first, GET_ROOT);
    await expect.poll(() => waiting.length).toBe(21);
    for (const answer of waiting) answer();
    expect((await next).status).toBe(200);
  });
});

describe('a stop', () => {
  it('sends clients away by GOAWAY, and lets the request under way finish', async () => {
    const waiting: (() => void)[] = [];
    const service = await serve((_request, response) => waiting.push(() => response.end('done')), {
      times: NEVER,
    });
    const [session, idle] = [await open(service.port), await open(service.port)];
    const underWay = answerOf(begin(session));
    await expect.poll(() => waiting.length).toBe(1);
    const goAway = new Promise((resolve) => session.once('goaway', resolve));
    service.drain();
    expect(await goAway).toBe(0);
    await closeOf(idle);
    // Until the port closes, others may still come.
    const late = await open(service.port);
    const another = answerOf(begin(late));
    await expect.poll(() => waiting.length).toBe(2);
    const stopped = service.stop();
    // Longer than it waits for the first request of a connection.
    await sleep(1_500);
    for (const answer of waiting) answer();
    expect((await underWay).body.toString()).toBe('done');
    expect((await another).body.toString()).toBe('done');
    await stopped;
  });

  it('does not wait long for clients that never leave', async () => {
    let handled = 0;
    const service = await serve(
      (_request, response) => {
        handled++;
        response.end('ok');
      },
      { times: NEVER },
    );
    const { socket } = await openRaw(service.port, { reads: false });
    socket.pause();
    socket.write(get(1));
    await expect.poll(() => handled).toBe(1);
    const begun = performance.now();
    await service.stop();
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
