import type { NamespaceCache } from '../access/ports.ts';
import type { Reflector } from '../informers/reflector.ts';

/** The names that a reflector holds, while it vouches for them: it is synced, and its watch gives signs of life. */
export function createNamespaceCache(
  reflector: Pick<Reflector<string>, 'objects' | 'status'>,
  maxSilenceMs: number,
): NamespaceCache {
  return {
    names: () => {
      const { synced, isForbidden, silenceMs } = reflector.status();
      return !synced || isForbidden || silenceMs > maxSilenceMs ? undefined : [...reflector.objects.values()];
    },
  };
}
