import type { Dispatcher } from 'undici';
import { untilAborted } from '../../timing/deadline.ts';
import type { Address } from './request.ts';

export interface HttpRequest extends Address {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The limit for the body of a successful response. */
  readonly maxBytes: number;
  /** Ends the request and its response. */
  readonly signal: AbortSignal;
}

interface Head {
  readonly status: number;
  /** The headers of these names. */
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

/** The outcome of one HTTP request. */
export type HttpResult =
  /** The body is empty if an error's was lost or too long: the status is enough. */
  | ({ readonly kind: 'answered'; readonly body: Buffer } & Head)
  /** A good answer whose body is longer than it may be; it was not read on. */
  | { readonly kind: 'overflowed'; readonly status: number }
  | {
      readonly kind: 'lost';
      /** False only if certainly no byte of the request was written. */
      readonly sent: boolean;
      /** The status, if the response broke off after its head. */
      readonly status: number | undefined;
      readonly error: unknown;
    };

/** A Status object with all its causes is far smaller. */
export const MAX_ERROR_BYTES = 1_048_576;

/** Sends one request and collects its response within limits. Never rejects. */
export async function sendHttpRequest(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResult> {
  const { origin, path, method, headers, body, maxBytes, signal } = request;
  let sent = false;
  let head: Head | undefined;
  const noting = dispatcher.compose(
    whenStarted(() => {
      sent = true;
    }),
  );
  const lost = (error: unknown): HttpResult =>
    head !== undefined && head.status >= 400
      ? { kind: 'answered', ...head, body: Buffer.alloc(0) }
      : { kind: 'lost', sent, status: head?.status, error };
  try {
    const pending = noting.request({
      origin,
      path,
      method,
      headers: { ...headers },
      body: body ?? null,
      // By default undici closes the connection after a DELETE with a body, such as one with preconditions.
      reset: false,
      // The signal is the only timeout: it covers the queue for a connection, the connect, the head and the body.
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // A connection that is being made does not end with the request.
    const response = await untilAborted(pending, signal);
    if (response === undefined) return lost(new DOMException('The attempt is over', 'AbortError'));
    head = headOf(response);
    const { status } = head;
    const received = await readBody(response, status < 400 ? maxBytes : MAX_ERROR_BYTES);
    if (received !== undefined) return { kind: 'answered', ...head, body: received };
    return status < 400 ? { kind: 'overflowed', status } : lost(undefined);
  } catch (error) {
    return lost(error);
  }
}

/** Called once connected, immediately before the first byte is written. */
function whenStarted(started: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context: unknown) => {
      started();
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };
}

export function headOf({ statusCode, headers }: Dispatcher.ResponseData): Head {
  const text = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { status: statusCode, retryAfter: text('retry-after'), date: text('date') };
}

/** The body of a response; undefined for a longer one, whose rest is not read. */
export async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  const announced = Number(headers['content-length'] ?? 0);
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (Math.max(length, announced) > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
