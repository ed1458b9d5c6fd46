import { ServiceError } from '../../errors/service-error.ts';
import type { Bound } from '../../observability/bound-metrics.ts';

/** The share of the budget for one session: it takes four sessions to use it up. */
export const SESSION_SHARE = 1 / 4;

/** Bodies are received and handled within seconds. */
const RETRY_AFTER_SECONDS = 5;

/** The bytes that one request holds of the budget. */
export interface BodyReservation {
  /** Reserves so many more bytes, or returns `bodyBudgetExceeded` if they do not fit. */
  readonly reserve: (bytes: number) => ServiceError | undefined;
  /** Releases what is reserved. */
  readonly release: () => void;
}

/** The bytes of request bodies that this replica holds at once, from their arrival until they are handled. */
export interface BodyBudget {
  /** @param session whose share is used */
  readonly open: (session: string) => BodyReservation;
  readonly heldBytes: () => number;
}

export interface BodyBudgetOptions {
  readonly bytes: number;
  readonly onRefused: (bound: Bound) => void;
}

export function createBodyBudget({ bytes: limit, onRefused }: BodyBudgetOptions): BodyBudget {
  const sessionLimit = Math.floor(limit * SESSION_SHARE);
  /** Only sessions that hold something, so there are never more than requests. */
  const bySession = new Map<string, number>();
  let total = 0;

  const hold = (session: string, bytes: number) => {
    const held = (bySession.get(session) ?? 0) + bytes;
    if (held === 0) bySession.delete(session);
    else bySession.set(session, held);
    total += bytes;
  };

  return {
    open(session) {
      let held = 0;
      return {
        reserve(bytes) {
          if ((bySession.get(session) ?? 0) + bytes > sessionLimit) {
            onRefused('body_bytes_session');
            return exceeded('bodyBytesSession');
          }
          if (total + bytes > limit) {
            onRefused('body_bytes_total');
            return exceeded('bodyBytesTotal');
          }
          hold(session, bytes);
          held += bytes;
          return undefined;
        },
        release() {
          hold(session, -held);
          held = 0;
        },
      };
    },
    heldBytes: () => total,
  };
}

function exceeded(reason: 'bodyBytesTotal' | 'bodyBytesSession'): ServiceError {
  return new ServiceError(
    'bodyBudgetExceeded',
    reason === 'bodyBytesTotal'
      ? 'Too many request bodies are on their way; try again later'
      : 'Too many request bodies of this session are on their way; try again later',
    { reason, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
