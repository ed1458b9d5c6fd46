import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../timing/clock.ts';
import type { Address } from '../request.ts';

/** A GET whose response continues. */
export interface StreamRequest extends Address {
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request and its response. */
  readonly signal: AbortSignal;
}

/** The head of a response, and its body as it arrives. */
export interface StreamResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

interface SessionOptions {
  /** Connected, and verified. */
  readonly socket: TLSSocket;
  readonly origin: string;
  /** Until the server's settings arrive. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Ends the attempt to open it. */
  readonly signal: AbortSignal;
}

/** As many as kube-apiserver allows by default: an error of one connection then ends no more watches than this. */
const MAX_STREAMS = 100;
/** What may arrive for one stream while it is not read. Node's own default limits a list over a long way to 64 KB per round trip. */
const STREAM_WINDOW = 262_144;
/** What is in transit for all streams. Node returns it on receipt, so a stream that is not read does not hold up others. */
const CONNECTION_WINDOW = 4_194_304;

export type Session = Awaited<ReturnType<typeof openSession>>;

/** One connection with HTTP/2. Resolves once the server's settings have arrived, which hold the number of its streams. */
export async function openSession(options: SessionOptions) {
  const { socket, origin } = options;
  const session = connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
  });
  // Each stream fails with it.
  session.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => session.once('close', resolve));
  await settingsOf(session, options);
  session.setLocalWindowSize(CONNECTION_WINDOW);
  let isGoingAway = false;
  session.once('goaway', () => {
    isGoingAway = true;
  });
  let streams = 0;
  const limit = (): number =>
    Math.min(MAX_STREAMS, session.remoteSettings.maxConcurrentStreams ?? MAX_STREAMS);
  const opened = {
    /** How many more streams may be opened; none once the connection is going away. */
    vacancies: () => (isGoingAway || session.closed || session.destroyed ? 0 : limit() - streams),
    streams: () => streams,
    /** Opens a stream. Takes a vacancy before it returns. */
    open: (request: StreamRequest): Promise<StreamResponse> => {
      const stream = requestOn(session, request);
      streams++;
      stream.once('close', () => streams--);
      return responseOf(stream);
    },
    /** Resolves when all streams have ended. */
    close: (): Promise<void> => {
      session.close();
      return ended;
    },
    /** Cuts all streams. */
    destroy: (): Promise<void> => {
      session.destroy();
      return ended;
    },
    /** Resolves when the connection is closed. */
    ended,
  };
  if (opened.vacancies() < 1) {
    session.destroy();
    throw new Error('The server allows no streams');
  }
  void endWhenDead(session, options, () => streams);
  return opened;
}

/** An error of the connection ends it, as well as its close. */
async function settingsOf(
  session: ClientHttp2Session,
  { timeoutMs, signal }: Pick<SessionOptions, 'timeoutMs' | 'signal'>,
): Promise<void> {
  const closed = new AbortController();
  session.once('close', () => {
    closed.abort();
  });
  const ended = AbortSignal.any([signal, closed.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    await once(session, 'remoteSettings', { signal: ended });
  } catch (error) {
    session.destroy();
    throw error;
  }
}

function requestOn(session: ClientHttp2Session, { path, headers, signal }: StreamRequest): ClientHttp2Stream {
  const stream = session.request(
    { ':method': 'GET', ':path': path, ...headers },
    { endStream: true, signal },
  );
  // The reader of the body receives it, if there is one by then.
  stream.on('error', () => undefined);
  return stream;
}

function responseOf(stream: ClientHttp2Stream): Promise<StreamResponse> {
  return new Promise((resolve, reject) => {
    let cause: unknown;
    stream.once('error', (error) => {
      cause = error;
    });
    stream.once('close', () => {
      reject(new StreamNotAnswered(stream.rstCode, cause));
    });
    stream.once('response', (headers) => {
      const retryAfter = headers['retry-after'];
      resolve({
        status: Number(headers[':status']),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        body: bodyOf(stream),
      });
    });
  });
}

/** Node ends the body of a stream quietly when its connection is closed, as if it were complete. */
async function* bodyOf(stream: ClientHttp2Stream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
  if (!stream.readableEnded) throw new Error('The connection ended before the stream');
}

/** The request has not been answered, and its stream is over. */
export class StreamNotAnswered extends Error {
  /** The error code of HTTP/2. */
  readonly errorCode: number | undefined;

  constructor(errorCode: number | undefined, cause: unknown) {
    super('The stream ended before its response', { cause });
    this.errorCode = errorCode;
  }
}

/** The server has not processed the request: it was too many, or the connection is going away. */
export function isRefusedStream(error: unknown): boolean {
  return error instanceof StreamNotAnswered && error.errorCode === constants.NGHTTP2_REFUSED_STREAM;
}

export function isHttp1Required(error: unknown): boolean {
  return error instanceof StreamNotAnswered && error.errorCode === constants.NGHTTP2_HTTP_1_1_REQUIRED;
}

/**
 * A connection without a byte for one interval is sent a ping, and is dead without a byte in the next. It is noticed 30 to
 * 45 seconds after the last byte, as by client-go, and before a watch is too silent.
 */
const INTERVAL_MS = 15_000;
/** A connection without streams closes after so many intervals. */
const IDLE_INTERVALS = 2;

/** Ends a connection whose other side has gone, and one that is no longer used. */
async function endWhenDead(
  session: ClientHttp2Session,
  { socket, clock }: Pick<SessionOptions, 'socket' | 'clock'>,
  streams: () => number,
): Promise<void> {
  const closed = new AbortController();
  session.once('close', () => {
    closed.abort();
  });
  let [received, isPinged, idle] = [socket.bytesRead, false, 0];
  for (;;) {
    await clock.sleep(INTERVAL_MS, closed.signal);
    if (closed.signal.aborted || session.destroyed) return;
    idle = streams() === 0 ? idle + 1 : 0;
    if (idle >= IDLE_INTERVALS) session.close();
    if (socket.bytesRead !== received) [received, isPinged] = [socket.bytesRead, false];
    else if (isPinged) session.destroy(new Error('The connection is dead'));
    // The answer is seen as bytes, as any other frame is.
    else isPinged = session.ping(() => undefined);
  }
}
