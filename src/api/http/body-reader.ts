import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BoundMetrics } from '../../observability/bound-metrics.ts';
import { createBodyBudget } from './body-budget.ts';
import { readJsonBody } from './body.ts';

/** Reads the body of one request. */
export type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Reads bodies within the budget of the replica. */
export interface BodyReader {
  /**
   * Runs `work`, which may read the body of its request. The bytes of the body count for the session until the work has
   * ended, because the parsed body stays in memory as long.
   */
  during<Result>(session: string, work: (read: ReadBody) => Promise<Result>): Promise<Result>;
  readonly heldBytes: () => number;
}

export function createBodyReader(budgetBytes: number, bounds: BoundMetrics): BodyReader {
  const onRefused = bounds.countRefusal;
  const budget = createBodyBudget({ bytes: budgetBytes, onRefused });
  return {
    async during(session, work) {
      const reservation = budget.open(session);
      const observer = { onRefused, reserve: reservation.reserve };
      try {
        return await work((request, response) => readJsonBody(request, response, observer));
      } finally {
        reservation.release();
      }
    },
    heldBytes: budget.heldBytes,
  };
}
