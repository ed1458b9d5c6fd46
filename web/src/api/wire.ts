import type { Operations } from './schema.ts';

export type Operation = keyof Operations;

/** What the service objected to, in its own words, and the id to quote to an operator. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(status: number, message: string, requestId: string | undefined) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

export interface CallOptions<Name extends Operation> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Operations[Name]['body'];
  readonly signal?: AbortSignal;
}

export type Call = <Name extends Operation>(
  operation: Name,
  options?: CallOptions<Name>,
) => Promise<Operations[Name]['answer']>;

/**
 * Calls the API as the signed-in browser.
 * @param onSignedOut told whenever the service says that there is no valid session
 */
export function createCall(fetch: typeof globalThis.fetch, onSignedOut: () => void): Call {
  return async (operation, { path = {}, query, body, signal } = {}) => {
    const [method = 'GET', pattern = ''] = operation.split(' ');
    const response = await fetch(address(pattern, path, query), {
      method,
      cache: 'no-store',
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ApiError(0, 'The service cannot be reached', undefined);
    });
    // Parsed as it is: JSON.parse keeps keys such as __proto__ as own properties.
    const json: unknown = await response.json().catch(() => undefined);
    if (response.ok && json !== undefined) return json as Operations[typeof operation]['answer'];
    if (response.status === 401) onSignedOut();
    throw new ApiError(response.status, errorText(json), response.headers.get('x-request-id') ?? undefined);
  };
}

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

function errorText(json: unknown): string {
  const text = typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
  return typeof text === 'string' ? text : 'The service gave no answer that this page understands';
}
