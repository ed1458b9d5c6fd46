import { LoginFailure } from './login-failure.ts';
import { isSecureAddress, type AddressPolicy } from './provider-address.ts';

export type Fetch = typeof globalThis.fetch;

export const REQUEST_TIMEOUT_MS = 5_000;
/** Discovery, key sets and tokens take kilobytes. A megabyte is enough for thousands of groups. */
export const MAX_RESPONSE_BYTES = 1_048_576;

export interface ProviderFetchOptions {
  readonly fetch: Fetch;
  readonly policy: AddressPolicy;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** A request as openid-client makes it. */
export type ProviderRequest = (url: string, init: RequestInit) => Promise<Response>;

/** Statuses without a body, which `new Response` requires. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The only way to send a request to the provider. Refuses insecure addresses, follows no redirects (they could send the
 * code elsewhere), and limits the time and the size of the whole request and response: a slow or large response must
 * not block a login or fill the memory.
 */
export function createProviderFetch(options: ProviderFetchOptions): ProviderRequest {
  const { fetch, policy, timeoutMs, maxBytes } = options;
  return async (url, init) => {
    if (!isSecureAddress(url, policy)) throw new LoginFailure('insecure_endpoint');
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      return await bounded(response, maxBytes);
    } catch (error) {
      if (signal.aborted) throw new LoginFailure('timeout');
      throw error;
    }
  };
}

async function bounded(response: Response, maxBytes: number): Promise<Response> {
  const body = await readAtMost(response.body, maxBytes);
  const headers = new Headers(response.headers);
  // The body is already decoded. The library reads a challenge before the body, whose `error` is the one that RFC 6749,
  // section 5.2 defines.
  for (const name of ['content-encoding', 'content-length', 'www-authenticate']) headers.delete(name);
  const { status } = response;
  return new Response(BODILESS.has(status) ? null : body, { status, headers });
}

async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the connection.
    if (length > maxBytes) throw new LoginFailure('response_too_large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}
