import { describe, expect, it } from 'vitest';
import { overHttp2 } from '../../harness/both-protocols.ts';
import {
  answersOk,
  END_HEADERS,
  FRAME,
  frame,
  get,
  GET_FIELDS,
  GET_ROOT,
  NEVER,
  open,
  openRaw,
  reset,
  serve,
} from './http2-fixture.ts';

describe('a client that abuses HTTP/2', () => {
  /** How long the slowest request of another client takes meanwhile. */
  async function slowestMeanwhile(port: number, abuse: () => Promise<unknown>): Promise<number> {
    const other = await open(port);
    let slowest = 0;
    const abused = { isOver: false };
    const requests = (async () => {
      while (!abused.isOver) {
        const begun = performance.now();
        expect((await overHttp2(other, GET_ROOT)).status).toBe(200);
        slowest = Math.max(slowest, performance.now() - begun);
      }
    })();
    await abuse();
    abused.isOver = true;
    await requests;
    return slowest;
  }

  it('by resetting 10,000 requests is sent away, and delays no one', async () => {
    let [reached, under] = [0, 0];
    const { port, connections } = await serve(
      (request, response) => {
        under++;
        response.once('close', () => under--);
        // Of the other client, with the port.
        if (request.headers.host !== 'localhost') response.end('ok');
        else reached++;
      },
      { times: NEVER },
    );
    const slowest = await slowestMeanwhile(port, async () => {
      const { socket, closed, state } = await openRaw(port);
      for (let index = 0; index < 10_000; index++)
        socket.write(Buffer.concat([get(2 * index + 1), reset(2 * index + 1)]));
      await closed;
      expect(state.frames.at(-1)).toMatchObject({ type: FRAME.goAway });
    });
    expect(reached).toBeLessThan(150);
    expect(slowest).toBeLessThan(1_500);
    await expect.poll(() => under).toBe(0);
    expect(connections().busy).toBe(0);
  });

  it.each([
    [
      'fields without end',
      () => [
        frame(FRAME.headers, 0, 1, GET_FIELDS),
        ...repeat(200, frame(FRAME.continuation, 0, 1, literal(8_000))),
      ],
    ],
    [
      'empty continuations',
      () => [frame(FRAME.headers, 0, 1, GET_FIELDS), ...repeat(1_000, frame(FRAME.continuation, 0, 1))],
    ],
    [
      'one field that grows when it is unpacked',
      () => [
        frame(
          FRAME.headers,
          END_HEADERS,
          1,
          Buffer.concat([GET_FIELDS, indexed(3_000), Buffer.alloc(4_000, 0xbe)]),
        ),
      ],
    ],
    [
      'settings that are not read',
      () => repeat(20_000, frame(FRAME.settings, 0, 0, [0, 4, 0, 0, 0xff, 0xff])),
    ],
    ['pings that are not read', () => repeat(20_000, frame(FRAME.ping, 0, 0, Buffer.alloc(8)))],
    [
      'empty data',
      () => [frame(FRAME.headers, END_HEADERS, 1, GET_FIELDS), ...repeat(20_000, frame(FRAME.data, 0, 1))],
    ],
    ['frames of no stream', () => repeat(2_000, frame(FRAME.data, 0, 99, [1]))],
  ])('by %s is closed or goes unanswered, and delays no one', async (_what, frames) => {
    const { port, connections } = await serve(answersOk, {
      times: { ...NEVER, header: 1_000, request: 2_000, idle: 1_000 },
    });
    const slowest = await slowestMeanwhile(port, async () => {
      const { socket } = await openRaw(port, { reads: false });
      socket.pause();
      socket.write(Buffer.concat(frames()));
      await expect.poll(() => connections()).toMatchObject({ idle: 0 });
    });
    expect(slowest).toBeLessThan(1_500);
  });
});

const repeat = (count: number, bytes: Buffer): Buffer[] => Array.from({ length: count }, () => bytes);
/** A field that is not indexed, and one that is: `x: xxx…` (RFC 7541, section 6.2). */
const fieldOf = (first: number, length: number) => {
  const rest = length - 127;
  return Buffer.concat([
    Buffer.of(first, 1, 0x78, 127, (rest & 127) | 128, rest >> 7),
    Buffer.alloc(length, 0x78),
  ]);
};
const literal = (length: number) => fieldOf(0, length);
const indexed = (length: number) => fieldOf(0x40, length);
