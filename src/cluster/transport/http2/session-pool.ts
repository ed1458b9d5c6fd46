import type { Clock } from '../../../timing/clock.ts';
import { untilAborted } from '../../../timing/deadline.ts';
import type { SecureConnector } from './secure-connector.ts';
import {
  isHttp1Required,
  isRefusedStream,
  openSession,
  type Session,
  type StreamRequest,
  type StreamResponse,
} from './session.ts';

export interface SessionPoolOptions {
  readonly connect: SecureConnector;
  /** From the handshake to the server's settings. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** A refused stream was not processed, so it is opened again (RFC 9113, section 8.7). */
const MAX_ATTEMPTS = 3;

/** Connections with HTTP/2 to one origin. Nothing is connected until the first stream. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #sessions = new Set<Session>();
  readonly #destroyed = new AbortController();
  #isClosed = false;
  /** Comes to whether the server speaks HTTP/2. */
  #connecting: Promise<boolean> | undefined;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  /**
   * Opens a stream on the fullest connection that may take another, so that others become idle and close.
   * @returns `http1Only` when the server does not speak HTTP/2
   */
  async open(request: StreamRequest): Promise<StreamResponse | 'http1Only'> {
    for (let refused = 0; ;) {
      // No turn may come between these two, because another stream might take the vacancy.
      const session = this.#vacant();
      const response = session?.open(request);
      if (response === undefined) {
        if (!(await this.#connectFor(request))) return 'http1Only';
        continue;
      }
      try {
        return await response;
      } catch (error) {
        if (isHttp1Required(error)) return 'http1Only';
        if (!isRefusedStream(error) || ++refused >= MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Lets streams finish, and closes then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  /** Cuts all streams. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    this.#destroyed.abort();
    await Promise.all([...this.#sessions].map((session) => session.destroy()));
  }

  /** Resolves with false when the server does not speak HTTP/2. */
  async #connectFor({ origin, signal }: StreamRequest): Promise<boolean> {
    if (this.#isClosed) throw closedError();
    const isHttp2 = await untilAborted(this.#connectOnce(origin), signal);
    signal.throwIfAborted();
    return isHttp2 === true;
  }

  #vacant(): Session | undefined {
    return [...this.#sessions]
      .filter((session) => session.vacancies() > 0)
      .sort((one, other) => other.streams() - one.streams())[0];
  }

  /** One connection at a time: hundreds of streams that begin together need only a few. */
  #connectOnce(origin: string): Promise<boolean> {
    this.#connecting ??= this.#connect(origin).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(origin: string): Promise<boolean> {
    const { connect, timeoutMs, clock } = this.#options;
    const { signal } = this.#destroyed;
    const socket = await connect(origin, signal);
    if (socket.alpnProtocol !== 'h2') {
      socket.destroy();
      return false;
    }
    const session = await openSession({ socket, origin, timeoutMs, clock, signal });
    if (this.#isClosed) {
      await session.destroy();
      throw closedError();
    }
    this.#sessions.add(session);
    void session.ended.then(() => this.#sessions.delete(session));
    return true;
  }
}

/** The TLS material has changed, or the service stops. */
function closedError(): Error {
  return new Error('The connections are closed');
}
