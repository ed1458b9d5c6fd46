import type { OutgoingHttpHeader, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import {
  constants,
  createSecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { LINGER_MS, refuseLate } from './protocol-errors.ts';
import { contextOf, type CertificateSource } from './server-certificate.ts';

/** Node's own limits of the rest: frames without use, pings, settings, fields, bytes that a session holds. */
const OPTIONS: SecureServerOptions = {
  settings: { maxConcurrentStreams: 32, maxHeaderListSize: 32 * 1_024, enablePush: false },
  // Streams that the client opens and resets: at once, and from then on in a second.
  streamResetBurst: 100,
  streamResetRate: 20,
};

/** Serves HTTP/2 and HTTP/1.1 over TLS, with each certificate of the source for the connections after it. */
export function createTlsServer(
  certificate: Pick<CertificateSource, 'follow'>,
  options: SecureServerOptions,
  serve: RequestListener,
): TlsServer {
  const created: unknown = createSecureServer({ ...options, ...OPTIONS, noDelay: true, allowHTTP1: true });
  // It has the members of one for HTTP/1.1 that are used here.
  const server = created as TlsServer;
  server.on('request', serve);
  // Node would answer a failed handshake like a malformed request. There is no one to read the answer.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => {
    socket.destroy();
  });
  certificate.follow((current) => {
    server.setSecureContext(contextOf(current));
  });
  return server;
}

export const isHttp2 = (message: object): message is Http2ServerRequest =>
  message instanceof Http2ServerRequest;

const REQUEST: PropertyDescriptorMap = {
  ...Object.getOwnPropertyDescriptors(Http2ServerRequest.prototype),
  // That of node:http destroys the connection.
  _destroy: Object.getOwnPropertyDescriptors(Readable.prototype)._destroy,
};
const members = Object.getOwnPropertyDescriptors(Http2ServerResponse.prototype);
const RESPONSE: PropertyDescriptorMap = {
  ...members,
  destroyed: {
    get(this: Http2ServerResponse) {
      return this.stream.destroyed;
    },
  },
  /** Of a stream that was reset, Node ends the writable side, too. */
  writableFinished: {
    get(this: Http2ServerResponse) {
      return this.stream.writableFinished && this.stream.headersSent && !this.stream.aborted;
    },
  },
  setHeader: {
    /** HTTP/2 has no field Connection (RFC 9113, section 8.2.2). */
    value(this: Http2ServerResponse, name: string, value: OutgoingHttpHeader) {
      if (name.toLowerCase() !== 'connection') members.setHeader.value?.call(this, name, value as string);
      return this;
    },
  },
};

/**
 * Express replaces the prototypes of both by its own, which derive from the classes of node:http. As properties of the
 * instances, the members of the classes of node:http2 stay (docs/adr/0019-http2-where-the-service-serves-tls.md).
 */
function keepMembers(request: Http2ServerRequest, response: Http2ServerResponse): void {
  Object.defineProperties(request, REQUEST);
  Object.defineProperties(response, RESPONSE);
  const { headers, rawHeaders } = request;
  while (rawHeaders[0]?.startsWith(':') === true) rawHeaders.splice(0, 2);
  // HTTP/2 has no field that announces a body of unknown length: the fields do not end the stream (section 8.1).
  const isOpen = !request.stream.endAfterHeaders && headers['content-length'] === undefined;
  if (isOpen) headers['transfer-encoding'] = 'chunked';
  const authority = headers[':authority'];
  if (authority === undefined) return;
  // The same host twice is allowed (section 8.3.1). Another one is refused like two Host fields.
  if (headers.host !== authority) rawHeaders.push('host', authority);
  headers.host = authority;
}

interface SessionBounds {
  /** Those of a connection. */
  readonly times: Readonly<Record<'header' | 'request' | 'idle' | 'stall' | 'exchange', number>>;
  /** Closes a connection whose client does not read a response. */
  readonly cut: (socket: Socket, bound: 'answer_stalled') => void;
  /** Counts a request of an address until the returned function is called; undefined when it has too many. */
  readonly take: (address: string | undefined) => (() => void) | undefined;
}

/** Limits how long a connection with HTTP/2, and each of its streams, may stay in a state. */
export function boundSessions(server: Server, { times, cut, take }: SessionBounds) {
  const sessions = new Map<ServerHttp2Session, ReturnType<typeof boundSession>>();
  server.on('session', (session: ServerHttp2Session) => {
    session.setTimeout(0); // That of the server is for HTTP/1.1.
    session.once('connect', (_session, socket: Socket) => {
      sessions.set(session, boundSession(session, socket, times));
      socket.once('close', () => sessions.delete(session));
    });
  });
  const begin = (request: Http2ServerRequest, response: Http2ServerResponse, handle: () => void): void => {
    const { stream } = request;
    const { socket } = sessions.get(stream.session as ServerHttp2Session) ?? {};
    if (socket === undefined) return; // It was reset, which takes the session from the stream.
    const release = take(socket.remoteAddress);
    if (release === undefined) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM); // The client may send it again.
      return;
    }
    keepMembers(request, response);
    const stalled = (): void => {
      if (response.writableEnded || stream.bufferSize > 0) cut(socket, 'answer_stalled');
      // The service waits for the cluster, or for the rest of the request.
      else stream.setTimeout(times.stall, stalled);
    };
    stream.setTimeout(times.stall, stalled);
    const isArriving = (): boolean => stream.state.remoteClose === 0;
    const late = setTimeout(() => {
      if (isArriving()) refuseLate(response as unknown as ServerResponse);
    }, times.request).unref();
    const limitReached = setTimeout(cut, times.exchange, socket, 'answer_stalled').unref();
    // The client is to stop sending what is not read (section 8.1). Unread, a stream would never close.
    stream.once('finish', () =>
      setImmediate(() => {
        if (isArriving()) stream.close(constants.NGHTTP2_NO_ERROR);
        stream.removeAllListeners('data').resume();
      }),
    );
    stream.once('close', () => {
      clearTimeout(late);
      clearTimeout(limitReached);
      release();
    });
    handle();
  };
  return {
    /**
     * Handles a request, unless its address has too many, or it was reset: what arrived together with it is read before
     * that.
     */
    accept: (...[request, response, handle]: Parameters<typeof begin>): void => {
      setImmediate(begin, request, response, handle);
    },
    busy: (): number => [...sessions.values()].filter(({ isBusy }) => isBusy()).length,
    /** Sends all clients away: their streams finish, and further ones are refused. */
    close: (): void => {
      for (const { close } of sessions.values()) close();
    },
  };
}

/** Before the first stream it has the time of a header, and then, without one, that of an idle connection. */
function boundSession(session: ServerHttp2Session, socket: Socket, times: SessionBounds['times']) {
  let streams = 0;
  const isEnded = (): boolean => session.closed || session.destroyed;
  // A client that does not read would never see its session end.
  const close = (): void => {
    if (isEnded()) return;
    session.close();
    if (streams === 0) wait(LINGER_MS);
  };
  const expire = (): void => {
    if (isEnded()) socket.destroy();
    else close();
  };
  const wait = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(expire, milliseconds).unref();
  };
  let timer = setTimeout(expire, times.header).unref();
  session.on('stream', (stream) => {
    clearTimeout(timer);
    streams++;
    stream.once('close', () => {
      streams--;
      if (streams === 0) wait(isEnded() ? LINGER_MS : times.idle);
    });
  });
  socket.once('close', () => {
    clearTimeout(timer);
  });
  return { socket, close, isBusy: () => streams > 0 };
}
