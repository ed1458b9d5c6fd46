/** A GET whose response continues. */
export interface StreamRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request and its response. */
  readonly signal: AbortSignal;
}

/** The head of a response, and its body as it arrives. */
export interface StreamResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}
