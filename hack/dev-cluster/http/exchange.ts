import { type IncomingMessage, type ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';

/** A request and its response, by whichever protocol the client speaks: Node's classes for HTTP/2 have the same methods. */
export type Incoming = IncomingMessage;
export type Outgoing = ServerResponse;

/** Whether the client can no longer be answered. */
export function isGone(response: Outgoing): boolean {
  return streamOf(response)?.destroyed ?? response.destroyed;
}

/** Cuts the connection; with HTTP/2 the stream only, as a proxy does that has lost its other side. */
export function cut(response: Outgoing): void {
  const stream = streamOf(response);
  if (stream === undefined) response.destroy();
  else stream.destroy(new Error('cut'));
}

/** Refuses the stream, as a server that goes away or has too many (RFC 9113, section 8.7); with HTTP/1.1 as {@link cut}. */
export function refuse(response: Outgoing): void {
  const stream = streamOf(response);
  if (stream === undefined) response.destroy();
  else stream.close(constants.NGHTTP2_REFUSED_STREAM);
}

/** With HTTP/2. */
function streamOf(response: object): ServerHttp2Stream | undefined {
  return 'stream' in response ? (response.stream as ServerHttp2Stream) : undefined;
}
