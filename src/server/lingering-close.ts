import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { paceReading } from './paced-reading.ts';

/** How long a client may continue to send before its connection is cut. */
const LINGER_MS = 5_000;

/**
 * Ends our side of a connection, and the whole connection a moment later. A connection that is closed with unread bytes
 * is reset, and the reset can overtake the response to a client that is still sending. Node would close immediately.
 */
export function closeLingering(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Closes the connection this way if it closes with this response and the request was not read to its end. Until then
 * the remaining bytes are read and discarded in portions: some clients read the response only after they have sent
 * everything.
 */
export function lingerOverUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // Runs before Node's own listener, which calls `destroySoon` if this response is the connection's last.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    discard(request);
    socket.destroySoon = () => {
      closeLingering(socket);
    };
  });
}

/** Reads the request here, so that Node does not discard it at the sender's speed. */
function discard(request: IncomingMessage): void {
  const reading = paceReading(request);
  request.read();
  request.on('data', ({ byteLength }: Buffer) => {
    reading.noteArrived(byteLength);
  });
  request.resume();
}
