import { createCookieJar, type CookieJar } from '../../../hack/sign-in-cookie-jar.ts';

export interface BrowserRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface BrowserResponse {
  readonly status: number;
  readonly location: string | undefined;
  readonly setCookies: readonly string[];
  readonly text: string;
}

/** One request and its response, over whatever protocol; redirects are not followed. */
export type Transport = (url: URL, request: BrowserRequest) => Promise<BrowserResponse>;

/** As much of a browser as a sign-in needs: requests, and the cookies that they carry. */
export interface Browser {
  readonly jar: CookieJar;
  get(url: URL): Promise<BrowserResponse>;
  /** Sends JSON, as scripts of a page do. */
  send(method: string, url: URL, json: unknown): Promise<BrowserResponse>;
}

export function createBrowser(transport: Transport = overFetch()): Browser {
  const jar = createCookieJar();
  const request = async (url: URL, method: string, body?: string): Promise<BrowserResponse> => {
    const cookie = jar.header(url);
    const response = await transport(url, {
      method,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    jar.store(url, response.setCookies);
    return response;
  };
  return {
    jar,
    get: (url) => request(url, 'GET'),
    send: (method, url, json) => request(url, method, JSON.stringify(json)),
  };
}

/** HTTP/1.1, as Node speaks it. */
export function overFetch(fetch: typeof globalThis.fetch = globalThis.fetch): Transport {
  return async (url, { method, headers, body }) => {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      location: response.headers.get('location') ?? undefined,
      setCookies: response.headers.getSetCookie(),
      text: await response.text(),
    };
  };
}
