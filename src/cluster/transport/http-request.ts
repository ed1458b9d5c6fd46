import type { Dispatcher } from 'undici';
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
const MAX_ERROR_BYTES = 1_048_576;

/**
 * Sends one request and collects its response within limits. Never rejects. undici's `request` does not report whether
 * a failed request was sent, and does not end before a hanging connect does.
 */
export function sendHttpRequest(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResult> {
  const { origin, path, method, headers, body, signal } = request;
  return new Promise((resolve) => {
    const collector = new Collector(request, resolve);
    if (signal.aborted) {
      collector.abandon();
      return;
    }
    signal.addEventListener('abort', collector.abandon, { once: true });
    dispatcher.dispatch(
      // The signal is the only timeout: it covers the queue for a connection, the connect, the head and the body.
      {
        origin,
        path,
        method,
        headers: { ...headers },
        body: body ?? null,
        // By default undici closes the connection after a DELETE with a body, such as one with preconditions.
        reset: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      collector,
    );
  });
}

/** undici's handler of one request. It ends once. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #resolve: (exchange: HttpResult) => void;
  #hasEnded = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Head | undefined;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(request: HttpRequest, resolve: (exchange: HttpResult) => void) {
    this.#request = request;
    this.#resolve = resolve;
  }

  /** The attempt is over. */
  readonly abandon = (): void => {
    this.#lose(new DOMException('The attempt is over', 'AbortError'));
    this.#stop();
  };

  /** Called once connected, immediately before the first byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#hasEnded) controller.abort(new DOMException('The attempt is over', 'AbortError'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // An interim response is not the response (RFC 9110, section 15.2).
    if (status < 200) return;
    const text = (name: string): string | undefined => {
      const value = headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    this.#head = { status, retryAfter: text('retry-after'), date: text('date') };
    if (Number(headers['content-length'] ?? 0) > this.#limit(this.#head)) this.#overflow(this.#head);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded || this.#head === undefined) return;
    this.#length += chunk.byteLength;
    if (this.#length > this.#limit(this.#head)) this.#overflow(this.#head);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#head === undefined) this.#lose(undefined);
    else this.#end({ kind: 'answered', ...this.#head, body: Buffer.concat(this.#chunks, this.#length) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.#lose(error);
  }

  #limit({ status }: Head): number {
    return status < 400 ? this.#request.maxBytes : MAX_ERROR_BYTES;
  }

  #overflow({ status }: Head): void {
    if (status >= 400) this.#lose(undefined);
    else this.#end({ kind: 'overflowed', status });
    this.#stop();
  }

  #lose(error: unknown): void {
    if (this.#head !== undefined && this.#head.status >= 400) {
      this.#end({ kind: 'answered', ...this.#head, body: Buffer.alloc(0) });
    } else {
      this.#end({ kind: 'lost', sent: this.#controller !== undefined, status: this.#head?.status, error });
    }
  }

  #end(result: HttpResult): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#request.signal.removeEventListener('abort', this.abandon);
    // The error refers to this object through its stack, and may be kept.
    this.#chunks.length = 0;
    this.#resolve(result);
  }

  #stop(): void {
    this.#controller?.abort(new DOMException('The attempt is over', 'AbortError'));
  }
}
