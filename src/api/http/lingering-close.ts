import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { paceReading } from './paced-reading.ts';

/** How long a client may go on sending before it is cut off. */
const LINGER_MS = 5_000;

/**
 * Ends our side of a connection, and the whole of it a moment later. A connection that is closed over unread bytes is
 * reset, and a reset can overtake the answer on its way to a client that is still sending. Node would close at once.
 */
export function closeLingering(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Has the connection close so, when it closes with this answer and the request was not read to its end. Until then
 * what still arrives is thrown away, in portions: some clients look for an answer only after they have sent everything.
 */
export function lingerOverUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // Before Node's own listener, which closes by `destroySoon` when the answer is the connection's last.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    discard(request);
    socket.destroySoon = () => {
      closeLingering(socket);
    };
  });
}

/** Reading it ourselves, at once, keeps Node from discarding it at whatever pace it arrives. */
function discard(request: IncomingMessage): void {
  const reading = paceReading(request);
  request.read();
  request.on('data', ({ byteLength }: Buffer) => {
    reading.noteArrived(byteLength);
  });
  request.resume();
}
