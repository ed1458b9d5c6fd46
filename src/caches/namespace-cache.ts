import type { NamespaceCache } from '../access/ports.ts';
import type { Reflector } from '../informers/reflector.ts';
import { isCurrent } from './is-current.ts';

/** The names that a reflector holds, while it vouches for them. */
export function createNamespaceCache(
  reflector: Pick<Reflector<{ values(): Iterable<{ readonly name: string }> }>, 'objects' | 'status'>,
  maxSilenceMs: number,
): NamespaceCache {
  return {
    names: () =>
      isCurrent(reflector.status(), maxSilenceMs)
        ? Array.from(reflector.objects.values(), ({ name }) => name)
        : undefined,
  };
}
