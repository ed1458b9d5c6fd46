import type { NamespaceCache } from '../access/ports.ts';
import type { Reflector } from '../informers/reflector.ts';
import { isCurrent } from './is-current.ts';

/** The names that a reflector holds, while it vouches for them. */
export function createNamespaceCache(
  reflector: Pick<Reflector<string>, 'objects' | 'status'>,
  maxSilenceMs: number,
): NamespaceCache {
  return {
    names: () => (isCurrent(reflector.status(), maxSilenceMs) ? [...reflector.objects.values()] : undefined),
  };
}
