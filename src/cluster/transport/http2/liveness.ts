import type { ClientHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../timing/clock.ts';

export interface LivenessOptions {
  readonly session: ClientHttp2Session;
  readonly socket: Pick<TLSSocket, 'bytesRead'>;
  readonly streams: () => number;
  readonly clock: Clock;
}

/**
 * A connection without a byte for one interval is sent a ping, and is dead without a byte in the next. It is noticed 30 to
 * 45 seconds after the last byte, as by client-go, and before a watch is too silent.
 */
export const INTERVAL_MS = 15_000;
/** A connection without streams closes after so many intervals. */
const IDLE_INTERVALS = 2;

/** Ends a connection whose other side has gone, and one that is no longer used. */
export async function endWhenDead({ session, socket, streams, clock }: LivenessOptions): Promise<void> {
  const closed = new AbortController();
  session.once('close', () => {
    closed.abort();
  });
  let [received, isPinged, idle] = [socket.bytesRead, false, 0];
  for (;;) {
    await clock.sleep(INTERVAL_MS, closed.signal);
    if (closed.signal.aborted || session.destroyed) return;
    idle = streams() === 0 ? idle + 1 : 0;
    if (idle >= IDLE_INTERVALS) session.close();
    if (socket.bytesRead !== received) [received, isPinged] = [socket.bytesRead, false];
    else if (isPinged) session.destroy(new Error('The connection is dead'));
    // The answer is seen as bytes, as any other frame is.
    else isPinged = session.ping(() => undefined);
  }
}
