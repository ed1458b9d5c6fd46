import type { Logger } from '../observability/logger.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Change } from './object-store.ts';
import type { ReflectorOptions } from './reflector-options.ts';

/** Calls those whom a reflector has to notify. */
export function createNotifier<Value>(
  { onChange, observer }: Pick<ReflectorOptions<never, Value, unknown>, 'onChange' | 'observer'>,
  logger: Logger,
) {
  let isForbidden = false;
  const changed = (changes: readonly Change<Value>[]): void => {
    for (const change of changes) {
      try {
        onChange(change);
      } catch {
        // A bug of the consumer's: what is stored is right all the same, and the stream must go on.
        logger.error('handler of a change failed', { code: 'internal' });
      }
    }
  };
  return {
    isForbidden: () => isForbidden,
    /** Whether RBAC forbids to list or watch. Only what changes is logged and counted. */
    forbidden: (is: boolean, reason?: string): void => {
      if (isForbidden === is) return;
      isForbidden = is;
      observer.forbidden(is);
      if (is) logger.warn('missing RBAC permission', { reason });
      else logger.info('RBAC permission granted');
    },
    changed,
    /** In slices, so that requests are handled in between: the changes of a list may be as many as objects. */
    relisted: async (changes: Iterable<readonly Change<Value>[]>): Promise<void> => {
      const yielder = createEventLoopYielder();
      for (const some of changes) {
        changed(some);
        if (yielder.isDue()) await yielder.yieldNow();
      }
    },
  };
}
