import { type ServerResponse } from 'node:http';
import { type WatchSink } from '../watch/watch-stream.ts';

/** A client that lets this much pile up is cut off, as the server does with slow watchers. */
const BACKLOG_LIMIT = 64 * 1024 * 1024;
/** What comes at the client's own pace waits when so much has piled up. */
const PACE_LIMIT = 1024 * 1024;

/** Streams a watch into a response; the head goes out at once. */
export function responseSink(response: ServerResponse): WatchSink {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  return {
    write(line) {
      // Writing to a response that is being torn down would be an uncaught error.
      if (response.destroyed) return;
      response.write(line);
      if (response.writableLength > BACKLOG_LIMIT) response.destroy();
    },
    whenReady() {
      if (response.destroyed || response.writableLength < PACE_LIMIT) return undefined;
      return new Promise((resolve) => {
        const ready = (): void => {
          response.off('drain', ready).off('close', ready);
          resolve();
        };
        response.on('drain', ready).on('close', ready);
      });
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
  };
}
