import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressKey, clientAddress, createLimiter } from '../../../src/server/limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a limiter', () => {
  it('lets as many pass as the limit says, then refuses and says how long to wait', async () => {
    const limiter = createLimiter({ requests: 2, windowMs: 60_000 });
    await limiter('a');
    await limiter('a');
    await expect(limiter('a')).rejects.toMatchObject({
      code: 'rateLimited',
      message: 'Too many requests; try again later',
      retryAfterSeconds: 60,
    });
    await vi.advanceTimersByTimeAsync(45_500);
    await expect(limiter('a')).rejects.toMatchObject({ retryAfterSeconds: 15 });
  });

  it('counts each key by itself', async () => {
    const limiter = createLimiter({ requests: 1, windowMs: 60_000 });
    await limiter('a');
    await limiter('b');
    await expect(limiter('a')).rejects.toMatchObject({ code: 'rateLimited' });
  });

  it('that only looks counts nothing, and refuses a key that is beyond the limit', async () => {
    const limiter = createLimiter({ requests: 1, windowMs: 60_000 });
    for (let look = 0; look < 5; look++) await limiter('a', 'look');
    await limiter('a');
    await limiter('a', 'look');
    await expect(limiter('a')).rejects.toMatchObject({ code: 'rateLimited' });
    await expect(limiter('a', 'look')).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });

  it('counts again in the next window', async () => {
    const limiter = createLimiter({ requests: 1, windowMs: 1_000 });
    await limiter('a');
    await vi.advanceTimersByTimeAsync(1_001);
    await expect(limiter('a')).resolves.toBeUndefined();
  });

  it('refuses for no longer than a window after the clock was set back', async () => {
    const limiter = createLimiter({ requests: 1, windowMs: 60_000 });
    await limiter('a');
    vi.setSystemTime(Date.now() - 3_600_000);
    await expect(limiter('a')).resolves.toBeUndefined();
    await limiter('a');
    await expect(limiter('a')).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });

  it('never says to wait for less than a second', async () => {
    const limiter = createLimiter({ requests: 1, windowMs: 10 });
    await limiter('a');
    await expect(limiter('a')).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });

  it('is apart from every other', async () => {
    const limit = { requests: 1, windowMs: 60_000 };
    await createLimiter(limit)('a');
    await expect(createLimiter(limit)('a')).resolves.toBeUndefined();
  });

  it('without a limit counts nothing', async () => {
    const limiter = createLimiter(undefined);
    for (let count = 0; count < 100; count++) await limiter('a');
    expect(vi.getTimerCount()).toBe(0);
  });
});

const keyOf = (request: Parameters<typeof clientAddress>[0]) => addressKey(clientAddress(request));

describe('the key of an address', () => {
  it('is the address of an IPv4 client', () => {
    expect(keyOf({ ip: '192.0.2.1' })).not.toBe(keyOf({ ip: '192.0.2.2' }));
    expect(keyOf({ ip: '192.0.2.1' })).toBe('192.0.2.1');
  });

  it('is the network of an IPv6 client', () => {
    expect(keyOf({ ip: '2001:db8:1:1::1' })).toBe(keyOf({ ip: '2001:db8:1:1:ffff::2' }));
    expect(keyOf({ ip: '2001:db8:1::1' })).not.toBe(keyOf({ ip: '2001:db9:1::1' }));
  });

  it.each(['fd00:10:244:1::5', 'FC00:10:244:1::5'])('is that of one pod for the private address %s', (ip) => {
    expect(keyOf({ ip })).not.toBe(keyOf({ ip: ip.replace('::5', '::6') }));
    expect(keyOf({ ip })).toBe(keyOf({ ip: ip.replace('::5', ':0:0:0:5') }));
  });

  it.each([
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
  ])('of %s, as a proxy may write it, is that of %s', (written, ip) => {
    expect(keyOf({ ip: written })).toBe(keyOf({ ip }));
  });

  it('is the same for everything that is no address', () => {
    const keys = ['', 'garbage', 'x'.repeat(5_000), '203.0.113.300:1'].map((ip) => keyOf({ ip }));
    expect(new Set(keys).size).toBe(1);
  });
});
