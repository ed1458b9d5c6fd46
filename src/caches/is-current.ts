import type { ReflectorStatus } from '../informers/reflector.ts';

/** Whether a reflector vouches for what it holds: it is synced, and its watch gives signs of life. */
export function isCurrent(
  { synced, isForbidden, silenceMs }: ReflectorStatus,
  maxSilenceMs: number,
): boolean {
  return synced && !isForbidden && silenceMs <= maxSilenceMs;
}
