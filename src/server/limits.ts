import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import type { Request } from 'express';
import { isIP } from 'node:net';
import { ServiceError } from '../errors/service-error.ts';

/** Counts a request under its key, or only looks; rejects with `rateLimited` beyond the limit. Counted per replica. */
export type Limiter = (key: string, how?: 'look') => Promise<void>;

/** At most `requests` of a key within a window. Undefined limit: nothing is counted. */
export function createLimiter(
  limit: { readonly requests: number; readonly windowMs: number } | undefined,
): Limiter {
  if (limit === undefined) return () => Promise.resolve();
  const { requests, windowMs } = limit;
  const store = new MemoryStore();
  store.init({ windowMs } as Options); // It reads nothing else of them.
  return async (key, how) => {
    const counted = await (how === 'look' ? store.get(key) : store.increment(key));
    if (counted === undefined || counted.totalHits <= requests) return;
    const remainingMs = (counted.resetTime?.getTime() ?? 0) - Date.now();
    // The clock was set back: no window is longer than it was when it began.
    if (remainingMs > windowMs) return store.resetKey(key);
    const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1_000));
    throw new ServiceError('rateLimited', 'Too many requests; try again later', { retryAfterSeconds });
  };
}

const IPV4_IN_IPV6 = /^::ffff:([\d.]+)$/i;
/** Some proxies add the port. */
const WITH_PORT = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * The client's address; `unknown` when a proxy names none. A trusted proxy may send any text. A dual-stack socket
 * reports IPv4 addresses as IPv6.
 */
export function clientAddress({ ip = '' }: Pick<Request, 'ip'>): string {
  const address = ip.replace(WITH_PORT, '$1$2').replace(IPV4_IN_IPV6, '$1');
  return isIP(address) === 0 ? 'unknown' : address;
}

/**
 * The key of a {@link clientAddress}; IPv6 clients are counted by network, since each has many addresses. Private ones
 * (RFC 4193) are counted one by one: a network of those is that of all pods.
 */
export const addressKey = (address: string): string =>
  ipKeyGenerator(address, /^f[cd][0-9a-f]{2}:/i.test(address) ? 128 : 56);
