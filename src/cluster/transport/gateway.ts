import type { ServiceError } from '../../errors/service-error.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { attemptOnce, isExceeded, retryDelayMs } from './attempt.ts';
import { recordOf, type CallObserver, type StartCallSpan } from './call-record.ts';
import { systemClock, type Clock } from '../../timing/clock.ts';
import { createTokenBucket } from '../../timing/token-bucket.ts';
import { createConnections } from './connections.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { clusterError } from './errors.ts';
import { METHODS, templateOf, type ClusterReply, type ClusterRequest } from './request.ts';
import { createServerTime } from './status.ts';
import { openStream } from './stream.ts';

/** The cluster API as raw JSON, over shared connections, with one translation of its failures. */
export type Gateway = ReturnType<typeof createGateway>;

export interface GatewayOptions {
  readonly credentials: Credentials;
  /** Called for every attempt, and for every stream that was opened or refused. */
  readonly onCall: CallObserver;
  /** Called before every attempt; where it returns a span, the cluster gets its `traceparent`. Streams have none. */
  readonly startSpan?: StartCallSpan;
  /**
   * How long one attempt of a read may take, queue and connect included; 10 seconds by default. A write may take half as
   * long again.
   */
  readonly attemptTimeoutMs?: number;
  /** Connections at once; 32 by default. Streams and requests in the background have their own. */
  readonly maxConnections?: number;
  readonly clock?: Clock;
  /** Returns 0 to 1. Spreads the waits between attempts. */
  readonly random?: () => number;
}

/**
 * Starts of lists and watches. With hundreds of namespaces there are more than a thousand, and all begin together when the
 * service starts or the API server returns.
 */
const STARTS = { perSecond: 20, burst: 20 };

/** Makes the gateway. Nothing is connected until the first request. */
export function createGateway({
  credentials,
  onCall,
  startSpan,
  attemptTimeoutMs: timeoutMs = 10_000,
  maxConnections = 32,
  clock = systemClock,
  random = Math.random,
}: GatewayOptions) {
  const connections = createConnections(credentials, { maxConnections, connectTimeoutMs: timeoutMs });
  const serverTime = createServerTime(clock);
  const takeTurn = createTokenBucket({ ...STARTS, clock });
  const transport = { credentials, connections, timeoutMs, clock, noteDate: serverTime.note };
  return {
    /**
     * Sends a request. Sends it again after temporary failures if that cannot repeat an effect.
     * @throws {ServiceError} with the codes that src/history/ports.ts names
     */
    request: async (request: ClusterRequest, deadline: Deadline): Promise<ClusterReply> => {
      for (let attempt = 1; ; attempt++) {
        if (attempt > 1 && request.isBackground === true) await takeTurn(deadline.signal);
        if (isExceeded(deadline)) throw clusterError('unavailable', 'deadlineExceeded');
        const begun = clock.now();
        const span = startSpan?.(METHODS[request.verb], templateOf(request));
        const { reply, failure, status } = await attemptOnce(request, deadline, transport, span?.traceparent);
        const durationMs = clock.now() - begun;
        const record = recordOf(request, failure?.error, { status, attempt, durationMs });
        onCall(record);
        span?.end(record);
        if (failure === undefined) return reply;
        const wait = retryDelayMs(attempt, failure, deadline.remainingMs(), random);
        if (wait === undefined) throw failure.error;
        await clock.sleep(wait, deadline.signal);
      }
    },
    /**
     * Opens a streaming response, such as a watch; `signal` ends it, which is no failure of the cluster. It is not retried.
     * @param read takes the text of each line; only what it returns is kept
     * @throws {ServiceError} when it cannot be opened
     */
    stream: async <Line>(request: ClusterRequest, signal: AbortSignal, read: (text: string) => Line) => {
      const begun = clock.now();
      const record = (error?: ServiceError): void => {
        const measured = { status: undefined, attempt: 1, durationMs: clock.now() - begun };
        if (!signal.aborted) onCall(recordOf(request, error, measured));
      };
      const opened = openStream(request, signal, read, transport);
      opened.then(() => {
        record();
      }, record);
      return opened;
    },
    /** Waits until a list or a watch may begin: all that use this gateway share the turns. */
    takeTurn,
    /** The cluster's time; undefined until it has answered. */
    serverNow: serverTime.now,
    /** Cuts all connections. Later requests fail. */
    close: connections.close,
  };
}
