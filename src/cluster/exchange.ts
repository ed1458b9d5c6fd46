import type { Dispatcher } from 'undici';

export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The body of a good answer may have this many bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** What became of one HTTP request. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** Empty when an error's body was lost or too long: its status says enough. */
      readonly body: Buffer;
    }
  /** A good answer whose body is longer than it may be; it was not read on. */
  | { readonly kind: 'overflowed'; readonly status: number }
  | {
      readonly kind: 'lost';
      /** False only when it is certain that not one byte of the request was written. */
      readonly sent: boolean;
      /** The status, when the answer broke off after its head. */
      readonly status: number | undefined;
      readonly error: unknown;
    };

/** A Status object with all its causes is far below this. */
const MAX_ERROR_BYTES = 1_048_576;

/**
 * Sends one request and collects its answer within bounds. Never rejects. undici's `request` would not do: it does
 * not tell whether a failed request had been sent, and it does not end before a hanging connect does.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  const { origin, path, method, headers, body, signal } = request;
  return new Promise((resolve) => {
    const collector = createCollector(request, resolve);
    if (signal.aborted) {
      collector.abandon();
      return;
    }
    signal.addEventListener('abort', collector.abandon, { once: true });
    dispatcher.dispatch(
      // The signal is the only clock: it spans the queue for a connection, the connect, the head and the body.
      {
        origin,
        path,
        method,
        headers: { ...headers },
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      collector.handler,
    );
  });
}

interface Collector {
  readonly handler: Dispatcher.DispatchHandler;
  readonly abandon: () => void;
}

function createCollector(request: ExchangeRequest, resolve: (exchange: Exchange) => void): Collector {
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;
  let head: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  const chunks: Buffer[] = [];
  let length = 0;

  const settle = (result: Exchange): void => {
    if (settled) return;
    settled = true;
    request.signal.removeEventListener('abort', abandon);
    resolve(result);
  };
  const lose = (error: unknown): void => {
    if (head !== undefined && head.status >= 400)
      settle({ kind: 'answered', ...head, body: Buffer.alloc(0) });
    else settle({ kind: 'lost', sent: controller !== undefined, status: head?.status, error });
  };
  const abandon = (): void => {
    const reason = new DOMException('The attempt is over', 'AbortError');
    lose(reason);
    controller?.abort(reason);
  };
  const overflow = (status: number): void => {
    if (status >= 400) lose(undefined);
    else settle({ kind: 'overflowed', status });
    controller?.abort(new DOMException('The answer is too long', 'AbortError'));
  };

  const handler: Dispatcher.DispatchHandler = {
    // Called when a connection is there, right before the first byte is written.
    onRequestStart: (started) => {
      if (settled) started.abort(new DOMException('The attempt is over', 'AbortError'));
      else controller = started;
    },
    onResponseStart: (_controller, status, headers) => {
      if (status < 200) return;
      const retryAfter = headers['retry-after'];
      head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
      const announced = Number(headers['content-length'] ?? 0);
      if (announced > limitFor(status, request)) overflow(status);
    },
    onResponseData: (_controller, chunk) => {
      if (settled || head === undefined) return;
      length += chunk.byteLength;
      if (length > limitFor(head.status, request)) overflow(head.status);
      else chunks.push(chunk);
    },
    onResponseEnd: () => {
      if (head === undefined) lose(undefined);
      else settle({ kind: 'answered', ...head, body: Buffer.concat(chunks, length) });
    },
    onResponseError: (_controller, error) => {
      lose(error);
    },
  };
  return { handler, abandon };
}

function limitFor(status: number, { maxBytes }: ExchangeRequest): number {
  return status < 400 ? maxBytes : MAX_ERROR_BYTES;
}
