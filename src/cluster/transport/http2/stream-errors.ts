import { constants } from 'node:http2';

/** The request has not been answered, and its stream is over. */
export class StreamNotAnswered extends Error {
  /** The error code of HTTP/2. */
  readonly errorCode: number | undefined;

  constructor(errorCode: number | undefined, cause: unknown) {
    super('The stream ended before its response', { cause });
    this.errorCode = errorCode;
  }
}

/** The server has not processed the request: it was too many, or the connection is going away. */
export function isRefusedStream(error: unknown): boolean {
  return error instanceof StreamNotAnswered && error.errorCode === constants.NGHTTP2_REFUSED_STREAM;
}

export function isHttp1Required(error: unknown): boolean {
  return error instanceof StreamNotAnswered && error.errorCode === constants.NGHTTP2_HTTP_1_1_REQUIRED;
}
