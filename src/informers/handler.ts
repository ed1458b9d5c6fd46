import type { Logger } from '../observability/logger.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Change } from './changes.ts';

/** Calls the handler of a reflector's changes. */
export interface Handler<Value> {
  notify(changes: Iterable<Change<Value>>): void;
  /** In slices, so that requests are handled in between: the changes of a list may be as many as objects. */
  notifyInSlices(changes: Iterable<readonly Change<Value>[]>): Promise<void>;
}

export function createHandler<Value>(
  onChange: (change: Change<Value>) => void,
  logger: Logger,
): Handler<Value> {
  const call = (change: Change<Value>): void => {
    try {
      onChange(change);
    } catch {
      // A bug of the consumer's: what is stored is right all the same, and the stream must go on.
      logger.error('handler of a change failed', { code: 'internal' });
    }
  };
  return {
    notify: (changes) => {
      for (const change of changes) call(change);
    },
    notifyInSlices: async (changes) => {
      const yielder = createEventLoopYielder();
      for (const some of changes) {
        for (const change of some) call(change);
        if (yielder.isDue()) await yielder.yieldNow();
      }
    },
  };
}
