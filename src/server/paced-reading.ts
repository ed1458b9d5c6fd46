import type { IncomingMessage } from 'node:http';
import { eventLoopTurns } from '../timing/event-loop-yielder.ts';

/** Node reads up to two mebibytes of each connection, all in the same turn of the event loop. */
const MAX_BYTES_IN_TURN = 256 * 1024;

/** A body in chunks of one byte arrives as ten thousand pieces per read buffer. */
const MAX_PIECES_IN_TURN = 1_000;

/**
 * Reads a request in portions. The portions of all requests take turns, so that many large bodies do not block other
 * requests.
 * @returns what ends it: from then on the request is not resumed
 */
export function readInTurns(
  request: Pick<IncomingMessage, 'pause' | 'resume' | 'on' | 'off'>,
  onPiece?: (piece: Uint8Array) => void,
): () => void {
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
  const onData = (piece: Uint8Array): void => {
    bytesInTurn += piece.byteLength;
    piecesInTurn++;
    const isPortion = bytesInTurn >= MAX_BYTES_IN_TURN || piecesInTurn >= MAX_PIECES_IN_TURN;
    if (isPortion && !isWaiting) void waitForTurn();
    onPiece?.(piece);
  };
  request.on('data', onData);
  return () => {
    isStopped = true;
    request.off('data', onData);
  };
}
