import { type WatchSink } from '../watch/watch-stream.ts';
import { cut, isGone, type Outgoing } from './exchange.ts';

/** A client that lets this much pile up is cut off, as the server does with slow watchers. */
const BACKLOG_LIMIT = 64 * 1024 * 1024;
/** What comes at the client's own pace waits when so much has piled up. */
const PACE_LIMIT = 1024 * 1024;

/** Streams a watch into a response; the head goes out at once. */
export function responseSink(response: Outgoing): WatchSink {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  return {
    write(line) {
      // Writing to a response that is being torn down would be an uncaught error.
      if (isGone(response)) return;
      response.write(Buffer.from(line));
      if (response.writableLength > BACKLOG_LIMIT) cut(response);
    },
    whenReady() {
      if (isGone(response) || response.writableLength < PACE_LIMIT) return undefined;
      return new Promise((resolve) => {
        const ready = (): void => {
          response.off('drain', ready).off('close', ready);
          resolve();
        };
        response.on('drain', ready).on('close', ready);
      });
    },
    end: () => void response.end(),
    cut: () => {
      cut(response);
    },
  };
}
