import type { Logger } from '../observability/logger.ts';
import type { ReflectorObserver } from './reflector-options.ts';

/** Whether a right to list or watch is missing; what changes is logged once. */
export interface MissingRight {
  readonly isMissing: () => boolean;
  refused(reason: string | undefined): void;
  granted(): void;
}

export function createMissingRight(
  observer: Pick<ReflectorObserver, 'rbacForbidden'>,
  logger: Logger,
): MissingRight {
  let isMissing = false;
  return {
    isMissing: () => isMissing,
    refused: (reason) => {
      if (isMissing) return;
      isMissing = true;
      observer.rbacForbidden(true);
      logger.warn('missing RBAC permission', { reason });
    },
    granted: () => {
      if (!isMissing) return;
      isMissing = false;
      observer.rbacForbidden(false);
      logger.info('RBAC permission granted');
    },
  };
}
