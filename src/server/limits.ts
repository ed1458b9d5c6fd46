import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../errors/service-error.ts';

/** At most so many requests within a window. */
export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Counts a request under its key; rejects with `rateLimited` beyond the limit. Counted per replica. */
export type Limiter = (key: string, request: Request) => Promise<void>;

/** Undefined limit: nothing is counted. */
export function createLimiter(limit: Limit | undefined): Limiter {
  if (limit === undefined) return () => Promise.resolve();
  const keys = new WeakMap<Request, string>();
  const middleware: RequestHandler = rateLimit({
    windowMs: limit.windowMs,
    limit: limit.requests,
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: (request) => keys.get(request) ?? '',
    handler: (request, _response, next) => {
      const resetTime = (request as Request & { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime;
      const remainingMs = (resetTime?.getTime() ?? 0) - Date.now();
      const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1_000));
      next(new ServiceError('rateLimited', 'Too many requests; try again later', { retryAfterSeconds }));
    },
  });
  return (key, request) =>
    new Promise((resolve, reject) => {
      keys.set(request, key);
      const response = request.res;
      if (response === undefined) throw new TypeError('a request without its response cannot be counted');
      void middleware(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(error instanceof Error ? error : new TypeError('the limiter failed'));
      });
    });
}

/** The key of a client's address; IPv6 clients are counted by network, since each has many addresses. */
export function addressKey(request: Request): string {
  return ipKeyGenerator(request.ip ?? '');
}
