import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import {
  Agent,
  buildConnector,
  fetch,
  Pool,
  ProxyAgent,
  type Dispatcher,
  type RequestInit as UndiciRequest,
} from 'undici';
import type { Clock } from '../../timing/clock.ts';
import type { Credentials, TlsMaterial } from '../credentials/credentials.ts';
import type { ClusterRequest } from './request.ts';

/** What a request or a stream is sent by. */
export interface Transport {
  readonly credentials: Credentials;
  readonly connections: ReturnType<typeof createConnections>;
  /** The limit of one attempt: credentials, queue, connect, response; of a stream, until the head of the response. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Takes the Date header of each response of the cluster. */
  readonly noteDate: (date: string | undefined) => void;
}

export interface ConnectionOptions {
  /** The number of connections for requests; further requests wait for one. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
}

/** Pages of reflectors and checks arrive one after the other anyway. */
const BACKGROUND_CONNECTIONS = 4;
const HTTP1 = {
  // One request per connection: a limit of connections is then a limit of requests, and a broken connection fails one
  // request.
  allowH2: false,
  // The signal is the only timeout: it covers the queue for a connection, the connect, the head and the body.
  headersTimeout: 0,
  bodyTimeout: 0,
};
const HTTP2 = {
  /** As many as kube-apiserver allows by default: an error of one connection then ends no more watches than this. */
  maxConcurrentStreams: 100,
  /** What is in transit for all streams; of one that is not read, undici accepts 256 KiB. */
  connectionWindowSize: 4_194_304,
  pingInterval: 10_000,
};
/** Two pings are sent in this time, and one has to be answered: a dead connection is noticed 20 to 40 seconds after its last byte. */
const MAX_SILENCE_MS = 20_000;

/** Connections that follow the TLS material, which rotates. */
export function createConnections({ proxyUrl }: Pick<Credentials, 'proxyUrl'>, options: ConnectionOptions) {
  let current: Connections | undefined;
  const all = new Set<Connections>();
  const closed = new AbortController();
  /** Requests on the former connections may finish; the connections close after them. */
  const retire = (former: Connections): void => {
    void Promise.all(former.pools.map((pool) => pool.close())).then(() => all.delete(former));
  };
  return {
    /** Those for this TLS material. New ones only if the material has changed. */
    for: (tls: TlsMaterial): Connections => {
      if (current !== undefined && isDeepStrictEqual(current.tls, tls)) return current;
      if (current !== undefined) retire(current);
      current = open(tls, proxyUrl, options);
      all.add(current);
      return current;
    },
    /** Aborted when all connections are cut, which ends streams: an agent that closes does not destroy what it waits for. */
    closed: closed.signal,
    /** Cuts all connections, those for former material too. */
    close: async (): Promise<void> => {
      closed.abort();
      await Promise.all([...all].flatMap(({ pools }) => pools.map((pool) => pool.destroy())));
      all.clear();
    },
  };
}

type Connections = ReturnType<typeof open>;

/** The connections to the cluster, kept open and shared. They are opened on demand. */
function open(
  tls: TlsMaterial,
  proxyUrl: string | undefined,
  { maxConnections, connectTimeoutMs: timeout }: ConnectionOptions,
) {
  const agent = (options: Agent.Options & { readonly allowH2: boolean }): Dispatcher => {
    const common = { ...options, connectTimeout: timeout };
    const toServer = { ...tls, allowH2: options.allowH2, timeout };
    if (proxyUrl === undefined) return new Agent({ ...common, connect: toServer });
    return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: toServer });
  };
  const requests = agent({ ...HTTP1, connections: maxConnections }).compose(callStarted);
  const background = agent({ ...HTTP1, connections: BACKGROUND_CONNECTIONS }).compose(callStarted);
  const streams = agent({
    allowH2: true,
    h2Options: HTTP2,
    headersTimeout: timeout,
    bodyTimeout: 0,
    factory: (origin, { connect, ...pool }: Pool.Options) =>
      new Pool(origin, {
        ...pool,
        connect: endingWhenSilent(typeof connect === 'function' ? connect : buildConnector(connect)),
      }),
  });
  return {
    tls,
    /**
     * Those that a request uses. Reflectors have their own, so that no one waits behind them. Streams stay open for
     * minutes, so they have their own, too: with HTTP/2, where the server speaks it, many share one; with HTTP/1.1 each
     * has one.
     */
    of: ({ verb, isBackground }: Pick<ClusterRequest, 'verb' | 'isBackground'>): Dispatcher => {
      if (verb === 'watch') return streams;
      return isBackground === true ? background : requests;
    },
    /** `close` lets what is in progress finish, `destroy` cuts it. */
    pools: [requests, background, streams],
  };
}

/** Calls `started` once a request is connected, immediately before its first byte is written. */
const callStarted: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { started } = options as Dispatcher.DispatchOptions & { readonly started?: () => void };
  const start = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (controller, context: unknown) => {
    started?.();
    start?.(controller, context);
  };
  return dispatch(options, handler);
};

/** Connects, and ends a connection with HTTP/2 whose other side has gone: undici sends pings, but accepts that they stay unanswered. */
function endingWhenSilent(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null && (socket as TLSSocket).alpnProtocol === 'h2') endWhenSilent(socket);
      callback(...result);
    });
  };
}

function endWhenSilent(socket: Socket): void {
  let received = -1;
  const timer = setInterval(() => {
    if (socket.bytesRead === received) socket.destroy(new Error('The connection is dead'));
    received = socket.bytesRead;
  }, MAX_SILENCE_MS);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

/** Like the runtime's own `fetch`, but where certificates in PEM are given, trusts only servers whose certificates one of these has signed. */
export function fetchTrusting(ca: string | undefined): typeof globalThis.fetch {
  if (ca === undefined) return globalThis.fetch;
  const dispatcher = new Agent({ connect: { ca } });
  const trusting = (address: string, init: UndiciRequest) => fetch(address, { ...init, dispatcher });
  // The runtime has types of its own, which undici's are like.
  return trusting as unknown as typeof globalThis.fetch;
}
