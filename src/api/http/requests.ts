import { randomUUID } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Where a request comes from, for its log lines. */
export interface RequestOrigin {
  /** The service's own, so that no client chooses what its lines are found by. */
  readonly requestId: string;
  /** The client's `X-Request-Id`, when it is a plain token. */
  readonly clientRequestId?: string;
  /** The client's address as far as `TRUST_PROXY` vouches for it; `unknown` when a proxy names none. */
  readonly clientAddress: string;
}

/** What the middleware knows of a request; the response's `locals` carry it. */
export interface RequestTrace {
  readonly origin: RequestOrigin;
  /** The route's pattern once one has matched. */
  route: string;
  /** The namespace that someone who is signed in asked about, once it is known to be well-formed. */
  namespace?: string;
  /** Why the request failed; written into its log line. */
  failure?: { readonly code: string; readonly reason?: string; readonly systemCode?: string };
}

export function traceOf(response: Response): RequestTrace {
  return (response.locals as { trace: RequestTrace }).trace;
}

/** Gives every request an id, and writes one log line and one observation when its answer is out. */
export function observeRequests(logger: Logger, metrics: Metrics): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const trace: RequestTrace = { origin: originOf(request), route: 'none' };
    const { requestId, clientRequestId } = trace.origin;
    response.locals['trace'] = trace;
    response.set('X-Request-Id', requestId);
    const started = performance.now();
    metrics.beginHttp();
    response.once('close', () => {
      const milliseconds = performance.now() - started;
      const { method } = request;
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.observeHttp({
        method: knownMethod(method),
        route: trace.route,
        status,
        seconds: milliseconds / 1_000,
        failure: trace.failure?.code,
      });
      const level = status >= 500 ? 'warn' : 'info';
      logger[level]('request', {
        requestId,
        clientRequestId,
        method: knownMethod(method),
        route: trace.route,
        status,
        durationMs: Math.round(milliseconds),
        // Audit lines are silent about lists that fail, and operators must know where to look.
        ...(status >= 400 && { namespace: trace.namespace }),
        ...trace.failure,
      });
    });
    next();
  };
}

function originOf(request: Request): RequestOrigin {
  const given = request.get('x-request-id') ?? '';
  return {
    requestId: randomUUID(),
    ...(REQUEST_ID.test(given) && { clientRequestId: given }),
    clientAddress: plainAddress(request.ip),
  };
}

const IPV4_IN_IPV6 = '::ffff:';

/** A trusted proxy may name anything. IPv4 in IPv6 is what a socket for both says of the former. */
function plainAddress(given = ''): string {
  const inner = given.slice(IPV4_IN_IPV6.length);
  const isMapped = isIPv4(inner) && given.toLowerCase().startsWith(IPV4_IN_IPV6);
  const address = isMapped ? inner : given;
  return isIP(address) === 0 ? 'unknown' : address;
}

/** Methods are the client's text; only known ones become labels. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].includes(method) ? method : 'other';
}
