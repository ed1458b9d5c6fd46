import type { Logger } from '../observability/logger.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Change } from './object-store.ts';
import type { ReflectorOptions } from './reflector-options.ts';

/** Calls those whom a reflector has to notify. */
export class Notifier<Value> {
  readonly #options: Pick<ReflectorOptions<never, Value, unknown>, 'onChange' | 'observer'>;
  readonly #logger: Logger;
  #isForbidden = false;

  constructor(
    options: Pick<ReflectorOptions<never, Value, unknown>, 'onChange' | 'observer'>,
    logger: Logger,
  ) {
    this.#options = options;
    this.#logger = logger;
  }

  get isForbidden(): boolean {
    return this.#isForbidden;
  }

  /** Whether RBAC forbids to list or watch. Only what changes is logged and counted. */
  forbidden(isForbidden: boolean, reason?: string): void {
    if (this.#isForbidden === isForbidden) return;
    this.#isForbidden = isForbidden;
    this.#options.observer.forbidden(isForbidden);
    if (isForbidden) this.#logger.warn('missing RBAC permission', { reason });
    else this.#logger.info('RBAC permission granted');
  }

  changed(changes: readonly Change<Value>[]): void {
    for (const change of changes) {
      try {
        this.#options.onChange(change);
      } catch {
        // A bug of the consumer's: what is stored is right all the same, and the stream must go on.
        this.#logger.error('handler of a change failed', { code: 'internal' });
      }
    }
  }

  /** In slices, so that requests are handled in between: the changes of a list may be as many as objects. */
  async relisted(changes: Iterable<readonly Change<Value>[]>): Promise<void> {
    const yielder = createEventLoopYielder();
    for (const some of changes) {
      this.changed(some);
      if (yielder.isDue()) await yielder.yieldNow();
    }
  }
}
