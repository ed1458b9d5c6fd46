import type { Operations as JsonOperations } from './schema.ts';

type ValueRoute = { readonly answer: Uint8Array<ArrayBuffer> };

/** With the routes whose answer is the bytes of a value: the types of the document are of JSON alone. */
export interface Operations extends JsonOperations {
  readonly 'GET /api/namespaces/{namespace}/secrets/{name}/keys/{key}': ValueRoute;
  readonly 'GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}/keys/{key}': ValueRoute;
}

export type Operation = keyof Operations;

/** What the service objected to, in its own words, and the id to quote to an operator. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** How long the request took, and whether it was one that changes nothing. */
  readonly request: { readonly tookMs: number; readonly isRead: boolean };

  constructor(status: number, message: string, requestId?: string, request = { tookMs: 0, isRead: false }) {
    super(message);
    this.request = request;
    this.status = status;
    this.requestId = requestId;
  }
}

/**
 * Whether a write may have taken effect although it was answered with this: the answer was lost (0), something in
 * between gave one of its own, or the service does not know either (503 says so of uncertain outcomes, and of others).
 * A read that fails before the write is sent leaves nothing open.
 * @param isUnseen a read after it showed nothing of the write: enough once the service, whose responses have an id, has
 * ended it. Without a response of the service it may still be at work; after an uncertain one, the cluster may.
 */
export function outcomeIsUnknown(error: unknown, isUnseen = false): boolean {
  if (!(error instanceof ApiError) || error.request.isRead) return false;
  if (isUnseen && error.requestId !== undefined && !error.message.includes('uncertain')) return false;
  return error.status < 400 || error.status >= 500;
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

/** Of a request, an error with this status is undefined. Any other is thrown. */
export function ignore(status: number) {
  return (error: unknown): undefined => {
    if (!(error instanceof ApiError) || error.status !== status) throw error;
  };
}

export const orAbsent = ignore(404);

export interface RequestOptions<Name extends Operation> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Operations[Name] extends { readonly body: infer Body } ? Body : never;
  readonly signal?: AbortSignal | undefined;
  /**
   * An answer that the service holds in its memory is good enough. Otherwise the request is for a new one
   * (the fetch mode `no-store` sends `Cache-Control: no-cache`), and the browser keeps nothing whatever a proxy
   * in between makes of the service's headers.
   */
  readonly mayBeCached?: boolean;
}

export interface ApiResponse<Name extends Operation> {
  readonly content: Operations[Name]['answer'];
  readonly headers: Headers;
}

export type ApiClient = <Name extends Operation>(
  operation: Name,
  options?: RequestOptions<Name>,
) => Promise<ApiResponse<Name>>;

/**
 * Sends requests to the API with the session of the browser.
 * @param onSignedOut called for every response that there is no valid session
 */
export function createApiClient(fetch: typeof globalThis.fetch, onSignedOut: () => void): ApiClient {
  return async (operation, { path = {}, query, body, signal, mayBeCached = false } = {}) => {
    const [method = 'GET', pattern = ''] = operation.split(' ');
    const startedAt = performance.now();
    const isRead = method === 'GET';
    const request = () => ({ tookMs: performance.now() - startedAt, isRead });
    const limit = AbortSignal.timeout(isRead ? READ_LIMIT_MS : WRITE_LIMIT_MS);
    const { response, content } = await fetch(address(pattern, path, query), {
      method,
      cache: mayBeCached ? 'default' : 'no-store',
      redirect: 'error',
      signal: AbortSignal.any(signal === undefined ? [limit] : [signal, limit]),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
      .then(readResponse)
      .catch((error: unknown) => unreachable(error, request()));
    if (response.ok && content !== undefined) {
      return { content: content as Operations[typeof operation]['answer'], headers: response.headers };
    }
    if (response.status === 401) onSignedOut();
    const requestId = response.headers.get('x-request-id') ?? undefined;
    throw new ApiError(response.status, errorText(content), requestId, request());
  };
}

/** Undefined content: something other than the service answered, such as a proxy with a page of its own. */
async function readResponse(
  response: Response,
): Promise<{ readonly response: Response; readonly content: unknown }> {
  if (response.ok && response.headers.get('content-type') === 'application/octet-stream') {
    return { response, content: new Uint8Array(await response.arrayBuffer()) };
  }
  const text = await response.text();
  try {
    // Parsed as it is: JSON.parse keeps keys such as __proto__ as own properties.
    return { response, content: JSON.parse(text) as unknown };
  } catch {
    // The parser's own words quote the answer, which may hold values; the status says enough.
    return { response, content: undefined };
  }
}

/** Lost before or while the answer came. A request that this page itself gave up stays what it is. */
function unreachable(error: unknown, request: ApiError['request']): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  const text = isLate ? 'The service did not answer in time' : 'The service cannot be reached';
  throw new ApiError(0, text, undefined, request);
}

/**
 * What takes longer is lost in between. The service ends a read after 15 seconds. A request may take 60 to arrive, and a
 * write 30 then; a deletion, which has no body, 55.
 */
const [READ_LIMIT_MS, WRITE_LIMIT_MS] = [18_000, 95_000];

function address(
  pattern: string,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> | undefined,
): string {
  const filled = pattern.replaceAll(/\{([a-z]+)\}/g, (_match, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
}

function errorText(content: unknown): string {
  const text =
    typeof content === 'object' && content !== null && 'error' in content ? content.error : undefined;
  return typeof text === 'string' ? text : "The service sent an answer that this page doesn't understand";
}

/** Lets only so many run at once; the others wait in their order. With four, other people's requests hardly wait. */
export function createLimit(atOnce = 4): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running === atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
