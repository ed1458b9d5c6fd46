import { type RequestInfo } from '../api/request-info.ts';

/** One request that reached the cluster. Bodies, headers and values are never in it. */
export interface LoggedRequest {
  readonly seq: number;
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly query: string;
  readonly user: string;
  /** null while there is no answer, and for ever when the connection was cut or left hanging before one. */
  readonly status: number | null;
}

const LIMIT = 10_000;

/** The newest requests in the order of their arrival. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #last = 0;

  /** Notes a request; the returned function notes its status later. */
  add(info: RequestInfo, query: URLSearchParams, user: string): (status: number) => void {
    const { verb, resource, subresource, namespace, name, path } = info;
    const about = { verb, resource, subresource, namespace, name, path, query: query.toString(), user };
    const entry = { seq: ++this.#last, ...about, status: null as number | null };
    this.#entries.push(entry);
    if (this.#entries.length > LIMIT * 2) this.#entries = this.#entries.slice(-LIMIT);
    return (status) => {
      entry.status = status;
    };
  }

  /** Those after the sequence number `after`, oldest first; the newest 10,000 at most. */
  list(after = 0): readonly LoggedRequest[] {
    return this.#entries.slice(-LIMIT).filter((entry) => entry.seq > after);
  }

  /** The sequence number of the newest request, for `list(after)`. */
  get last(): number {
    return this.#last;
  }

  clear(): void {
    this.#entries = [];
  }
}
