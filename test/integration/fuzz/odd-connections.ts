import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from './random.ts';

const WAYS = ['trickled', 'half-closed', 'cut', 'never sent', 'never read'] as const;
/** Bytes that are sent in small pieces; the pauses between them are all that makes a sender slow. */
const PIECE_BYTES = 7;
const PAUSE_MS = 5;
const LONGEST_MS = 3_000;

/** A connection as careless or hostile clients have it, with a request that is otherwise in order. Nothing is expected of it. */
export async function oddConnection(
  base: string,
  { pick }: Choices,
  path: string,
  cookie: string,
): Promise<void> {
  const { hostname, port, host } = new URL(base);
  const way = pick(WAYS);
  const body = JSON.stringify({ name: 'odd', data: { a: 'x'.repeat(100) } });
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `cookie: ${cookie}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  socket.setTimeout(LONGEST_MS, () => socket.destroy());
  const closed = once(socket, 'close');
  if (way === 'never read') socket.pause();
  else socket.resume();
  if (way === 'trickled') await trickle((piece) => socket.write(piece), head + body);
  else if (way !== 'never sent') socket.write(head + (way === 'cut' ? body.slice(0, 10) : body));
  if (way === 'half-closed') {
    socket.end();
    await closed;
  } else {
    await sleep(50);
    socket.destroy();
  }
}

async function trickle(write: (piece: string) => unknown, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += PIECE_BYTES) {
    write(text.slice(at, at + PIECE_BYTES));
    await sleep(PAUSE_MS);
  }
}
