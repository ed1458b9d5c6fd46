import type { Deadline } from '../../timing/deadline.ts';
import { attemptOnce } from './attempt.ts';
import { recordOf, type CallObserver } from './call-record.ts';
import { systemClock, type Clock } from '../../timing/clock.ts';
import { createConnections } from './connections.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { isSpent } from './attempt-deadline.ts';
import { clusterError } from './errors.ts';
import type { ClusterReply, ClusterRequest } from './request.ts';
import { waitAfter } from './retry.ts';
import { createServerTime } from './server-time.ts';
import { openStream, type ClusterStream } from './stream.ts';

/** The cluster API as raw JSON, over shared connections, with one translation of its failures. */
export interface Gateway {
  /**
   * Sends a request. Sends it again after temporary failures if that cannot repeat an effect.
   * @throws {ServiceError} with the codes that src/history/ports.ts names
   */
  request(request: ClusterRequest, deadline: Deadline): Promise<ClusterReply>;
  /**
   * Opens a streaming response, such as a watch; `signal` ends it. It is not retried.
   * @param read takes the text of each line; only what it returns is kept
   * @throws {ServiceError} when it cannot be opened
   */
  stream<Line>(
    request: ClusterRequest,
    signal: AbortSignal,
    read: (text: string) => Line,
  ): Promise<ClusterStream<Line>>;
  /** The cluster's time; undefined until it has answered. */
  serverNow(): number | undefined;
  /** Cuts all connections. Later requests fail. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly credentials: Credentials;
  /** Called for every attempt, and for every stream that was opened or refused. */
  readonly onCall: CallObserver;
  /** How long one attempt may take, queue and connect included; 10 seconds by default. */
  readonly attemptTimeoutMs?: number;
  /** Connections at once; 32 by default. Streams have their own. */
  readonly maxConnections?: number;
  readonly clock?: Clock;
  /** Returns 0 to 1. Spreads the waits between attempts. */
  readonly random?: () => number;
}

/** Makes the gateway. Nothing is connected until the first request. */
export function createGateway(options: GatewayOptions): Gateway {
  const { credentials, onCall, clock = systemClock, random = Math.random } = options;
  const timeoutMs = options.attemptTimeoutMs ?? 10_000;
  const connections = createConnections(credentials, {
    connections: options.maxConnections ?? 32,
    connectTimeoutMs: timeoutMs,
  });
  // Streams stay open for minutes and would use up the connections of the request pool.
  const streams = createConnections(credentials, { connections: null, connectTimeoutMs: timeoutMs });

  const serverTime = createServerTime(clock);
  const attempts = {
    credentials,
    connections,
    timeoutMs,
    wallNow: clock.wallNow,
    onDate: serverTime.note,
  };
  const door = { credentials, connections: streams, openTimeoutMs: timeoutMs, clock };

  return {
    request: async (request, deadline) => {
      for (let attempt = 1; ; attempt++) {
        if (isSpent(deadline)) throw clusterError('unavailable', 'callSpent');
        const begun = clock.now();
        const { reply, failure, status } = await attemptOnce(request, deadline, attempts);
        onCall(recordOf(request, failure?.error, { status, attempt, durationMs: clock.now() - begun }));
        if (failure === undefined) return reply;
        const wait = waitAfter(attempt, failure, deadline.remainingMs(), random);
        if (wait === undefined) throw failure.error;
        await clock.sleep(wait, deadline.signal);
      }
    },
    stream: async (request, signal, read) => {
      const begun = clock.now();
      const record = (error: unknown): void => {
        onCall(recordOf(request, error, { status: undefined, attempt: 1, durationMs: clock.now() - begun }));
      };
      try {
        const stream = await openStream(request, signal, read, door);
        record(undefined);
        return stream;
      } catch (error) {
        record(error);
        throw error;
      }
    },
    serverNow: serverTime.now,
    close: async () => {
      await Promise.all([connections.close(), streams.close()]);
    },
  };
}
