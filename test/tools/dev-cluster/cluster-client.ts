import { type Json } from '../../../hack/dev-cluster/json/json.ts';
import { WatchReader } from './watch-reader.ts';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; a text that is no JSON as it came. */
  readonly body: Json;
}

export interface Sent {
  /** A text is sent as it is, everything else as JSON. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A small raw client of the cluster API: what tests send is what goes out. */
export class ClusterClient {
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(url: string, token: string | undefined) {
    this.#url = url;
    this.#token = token;
  }

  async send(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Received> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers(body !== undefined), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  }

  get(path: string): Promise<Received> {
    return this.send('GET', path);
  }

  post(path: string, body: Json): Promise<Received> {
    return this.send('POST', path, { body });
  }

  put(path: string, body: Json): Promise<Received> {
    return this.send('PUT', path, { body });
  }

  patch(path: string, body: Json, type = 'application/merge-patch+json'): Promise<Received> {
    return this.send('PATCH', path, { body, headers: { 'content-type': type } });
  }

  delete(path: string, body?: Json): Promise<Received> {
    return this.send('DELETE', path, body === undefined ? {} : { body });
  }

  /** Begins a watch; resolves with its first bytes of head. */
  async watch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<WatchReader> {
    const abort = new AbortController();
    const response = await fetch(this.#url + path, {
      headers: { ...this.#headers(false), ...headers },
      signal: abort.signal,
    });
    return new WatchReader(response, abort);
  }

  #headers(hasBody: boolean): Record<string, string> {
    return {
      accept: 'application/json',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
    };
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
