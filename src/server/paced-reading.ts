import type { IncomingMessage } from 'node:http';
import { eventLoopTurns } from '../timing/event-loop-yielder.ts';

/** Node reads up to two mebibytes of each connection, all in the same turn of the event loop. */
const MAX_BYTES_IN_TURN = 256 * 1024;

/** A body in chunks of one byte arrives as ten thousand pieces per read buffer. */
const MAX_PIECES_IN_TURN = 1_000;

/**
 * Reads a request in portions. The portions of all requests take turns, so that many large bodies do not block other
 * requests.
 */
export function paceReading(request: Pick<IncomingMessage, 'pause' | 'resume'>) {
  let bytesInTurn = 0;
  let piecesInTurn = 0;
  let isWaiting = false;
  let isStopped = false;
  const waitForTurn = async (): Promise<void> => {
    isWaiting = true;
    request.pause();
    await eventLoopTurns.next();
    isWaiting = false;
    bytesInTurn = 0;
    piecesInTurn = 0;
    if (!isStopped) request.resume();
  };
  return {
    /** Call it for each piece. After a portion the request is paused until its next turn. */
    noteArrived(bytes: number): void {
      bytesInTurn += bytes;
      piecesInTurn++;
      const isPortion = bytesInTurn >= MAX_BYTES_IN_TURN || piecesInTurn >= MAX_PIECES_IN_TURN;
      if (isPortion && !isWaiting) void waitForTurn();
    },
    /** From now on the request is not resumed. */
    stop(): void {
      isStopped = true;
    },
  };
}
