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
  let current: { readonly tls: TlsMaterial; readonly connections: Connections } | undefined;
  const all = new Set<Connections>();
  const closed = new AbortController();
  /** Requests on the former connections may finish; the connections close after them. */
  const retire = (former: Connections): void => {
    void Promise.all(former.pools.map((pool) => pool.close())).then(() => all.delete(former));
  };
  return {
    /** Those for this TLS material. New ones only if the material has changed. */
    for: (tls: TlsMaterial): Connections => {
      if (current !== undefined && isDeepStrictEqual(current.tls, tls)) return current.connections;
      if (current !== undefined) retire(current.connections);
      const connections = open({ ...options, tls, proxyUrl, closed: closed.signal });
      all.add(connections);
      current = { tls, connections };
      return connections;
    },
    /** Cuts all connections, those for former material too. */
    close: async (): Promise<void> => {
      closed.abort(); // an agent that closes does not destroy what it waits for
      await Promise.all([...all].flatMap(({ pools }) => pools.map((pool) => pool.destroy())));
      all.clear();
    },
  };
}

type Connections = ReturnType<typeof open>;

interface OpenOptions extends ConnectionOptions {
  readonly tls: TlsMaterial;
  readonly proxyUrl: string | undefined;
  /** Aborted when all connections are cut. */
  readonly closed: AbortSignal;
}

/** The connections to the cluster, kept open and shared. They are opened on demand. */
function open({ tls, proxyUrl, closed, maxConnections, connectTimeoutMs: timeoutMs }: OpenOptions) {
  const http1 = (connections: number): Dispatcher => {
    // One request per connection: a limit of connections is then a limit of requests, and a broken connection fails one
    // request.
    const common = { connections, allowH2: false, connectTimeout: timeoutMs };
    if (proxyUrl === undefined) return new Agent({ ...common, connect: { ...tls, timeout: timeoutMs } });
    return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: { ...tls, timeout: timeoutMs } });
  };
  const requests = http1(maxConnections).compose(callStarted);
  const background = http1(BACKGROUND_CONNECTIONS).compose(callStarted);
  const streams = streamAgent(tls, proxyUrl, timeoutMs);
  return {
    requests,
    /** Of reflectors, so that no one waits behind them. */
    background,
    /**
     * Streams stay open for minutes, so they have connections of their own: with HTTP/2, where the server speaks it, many
     * share one; with HTTP/1.1 each has one. They end with `closed`.
     */
    streams,
    closed,
    /** `close` lets what is in progress finish, `destroy` cuts it. */
    pools: [requests, background, streams],
  };
}

/** The options of a request that says when it starts. */
export interface StartOptions extends Dispatcher.RequestOptions {
  /** Called once the request is connected, immediately before its first byte is written. */
  readonly started: () => void;
}

const callStarted: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { started } = options as Dispatcher.DispatchOptions & Partial<StartOptions>;
  const start = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (controller, context: unknown) => {
    started?.();
    start?.(controller, context);
  };
  return dispatch(options, handler);
};

function streamAgent(tls: TlsMaterial, proxyUrl: string | undefined, timeoutMs: number): Dispatcher {
  const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: 0 };
  const common = { ...timeouts, allowH2: true, h2Options: HTTP2 };
  const toServer = { ...tls, allowH2: true, timeout: timeoutMs };
  if (proxyUrl === undefined)
    return new Agent({ ...common, connect: endingWhenSilent(buildConnector(toServer)) });
  const factory = (origin: string | URL, options: Pool.Options): Dispatcher =>
    new Pool(origin, { ...options, connect: endingWhenSilent(options.connect as buildConnector.connector) });
  return new ProxyAgent({ ...common, factory, uri: proxyUrl, requestTls: toServer });
}

/** Connects, and ends a connection with HTTP/2 whose other side has gone: undici sends pings, but accepts that they stay unanswered. */
function endingWhenSilent(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      if ((socket as TLSSocket).alpnProtocol === 'h2') endWhenSilent(socket);
      callback(null, socket);
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
