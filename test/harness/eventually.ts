import { vi } from 'vitest';

/** `check` again until it no longer throws; for up to 20 s, since a busy machine may take many times longer than a quiet one. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
