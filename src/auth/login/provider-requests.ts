import type * as client from 'openid-client';
import { isObject } from '../../contract/json-text.ts';
import { LoginFailure, type LoginStage } from './login-failure.ts';
import { isSecureAddress } from './provider-rules.ts';

export type Fetch = typeof globalThis.fetch;

export const REQUEST_TIMEOUT_MS = 5_000;
/** Discovery, key sets and tokens take kilobytes. A megabyte is enough for thousands of groups. */
const MAX_RESPONSE_BYTES = 1_048_576;

/** A request as openid-client makes it. */
export type ProviderRequest = (url: string, init: RequestInit) => Promise<Response>;

/** Statuses without a body, which `new Response` requires. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The only way to send a request to the provider. Refuses insecure addresses (plain http is for loopback hosts alone), follows
 * no redirects (they could send the code elsewhere), and limits the time and the size of the whole request and response: a
 * slow or large response must not block a login or fill the memory.
 */
export function createProviderFetch(
  fetch: Fetch,
  allowHttp: boolean,
  { timeoutMs = REQUEST_TIMEOUT_MS, maxBytes = MAX_RESPONSE_BYTES } = {},
): ProviderRequest {
  return async (url, init) => {
    if (!isSecureAddress(url, allowHttp)) throw new LoginFailure('insecure_endpoint');
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
  const body: ReadableStream<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the connection.
    if (length > maxBytes) throw new LoginFailure('response_too_large');
    chunks.push(chunk);
  }
  const headers = new Headers(response.headers);
  // The body is already decoded. The library reads a challenge before the body, whose `error` is the one that RFC 6749,
  // section 5.2 defines.
  for (const name of ['content-encoding', 'content-length', 'www-authenticate']) headers.delete(name);
  const { status } = response;
  // A number that `Response` refuses.
  if (status > 599) throw new LoginFailure('unexpected_status', { status });
  return new Response(BODILESS.has(status) ? null : Buffer.concat(chunks), { status, headers });
}

/** Where an issuer publishes its discovery document (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Reads a JSON object that an issuer publishes. @throws {LoginFailure}, or what the request throws */
export async function readPublished(address: string, request: ProviderRequest) {
  const response = await request(address, { headers: { accept: 'application/json' } });
  const { status } = response;
  if (status !== 200) throw new LoginFailure('unexpected_status', { status });
  const parsed: unknown = await response.json().catch(() => undefined); // The message quotes the body.
  if (!isObject(parsed)) throw new LoginFailure('invalid_response');
  return { document: parsed, date: response.headers.get('date') };
}

/** For all requests of one callback. Each request has a shorter limit of its own. */
const CALLBACK_BUDGET_MS = 20_000;

/**
 * The requests of a callback. The token endpoint is called once, because a code can be redeemed only once: a second
 * attempt with other keys gets the same response again.
 */
export function callbackRequests(request: ProviderRequest, { userinfo_endpoint }: client.ServerMetadata) {
  const deadline = AbortSignal.timeout(CALLBACK_BUDGET_MS);
  const userInfo = userinfo_endpoint === undefined ? undefined : new URL(userinfo_endpoint).href;
  let tokens: Response | undefined;
  const once: ProviderRequest = async (url, init) => {
    const isToken = init.method === 'POST';
    if (isToken && tokens !== undefined) return tokens.clone();
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const response = await request(url, { ...init, signal });
    if (isToken) tokens = response.clone();
    return response;
  };
  return recordedRequests(
    once,
    (url, method) => (method === 'POST' ? 'token' : url === userInfo ? 'userinfo' : 'keys'),
    'callback',
  );
}

/** Requests of which the last is known by its stage. Before there is one, it is `first`. */
export function recordedRequests(
  request: ProviderRequest,
  stageOf: (url: string, method: string | undefined) => LoginStage,
  first: LoginStage,
) {
  const statuses = new Map<LoginStage, number>();
  let last = first;
  return {
    fetch: async (url: string, init: client.CustomFetchOptions) => {
      last = stageOf(url, init.method);
      const stage = last;
      statuses.delete(stage);
      const response = await request(url, init as RequestInit);
      statuses.set(stage, response.status);
      return response;
    },
    /** Adds the stage of the last request, unless the failure has one, and the status of the response. */
    locate: (failure: LoginFailure) => {
      const { stage = last } = failure.details;
      return failure.with({ stage, status: statuses.get(stage) });
    },
  };
}
