import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import type { Request } from 'express';
import { ServiceError } from '../errors/service-error.ts';

/** Counts a request under its key; rejects with `rateLimited` beyond the limit. Counted per replica. */
export type Limiter = (key: string) => Promise<void>;

/** At most `requests` of a key within a window. Undefined limit: nothing is counted. */
export function createLimiter(
  limit: { readonly requests: number; readonly windowMs: number } | undefined,
): Limiter {
  if (limit === undefined) return () => Promise.resolve();
  const { requests, windowMs } = limit;
  const store = new MemoryStore();
  store.init({ windowMs } as Options); // It reads nothing else of them.
  return async (key) => {
    const { totalHits, resetTime } = await store.increment(key);
    if (totalHits <= requests) return;
    const remainingMs = (resetTime?.getTime() ?? 0) - Date.now();
    const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1_000));
    throw new ServiceError('rateLimited', 'Too many requests; try again later', { retryAfterSeconds });
  };
}

/** The key of a client's address; IPv6 clients are counted by network, since each has many addresses. */
export function addressKey({ ip = '' }: Pick<Request, 'ip'>): string {
  return ipKeyGenerator(ip);
}
