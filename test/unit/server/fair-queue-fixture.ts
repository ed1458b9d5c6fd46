import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { vi } from 'vitest';
import { FairQueue, type FairQueueLimits } from '../../../src/server/request-seats.ts';

const LIMITS: FairQueueLimits = {
  ...{ seats: 2, admitted: 4, admittedPerFlow: 2, queued: 4, queuedPerFlow: 2 },
  bounds: { flow: 'requests_person', total: 'requests_total', time: 'requests_wait' },
};

export function queueOf(limits: Partial<FairQueueLimits> = {}) {
  const onRefused = vi.fn<(bound: string) => void>();
  return { queue: new FairQueue({ ...LIMITS, ...limits }, onRefused), onRefused };
}

/** A request whose work lasts until it is finished. */
export function requestOf(flow: string) {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const time = new AbortController();
  const work = Promise.withResolvers<undefined>();
  return {
    /** Resolves once the work begins. */
    enter: (queue: FairQueue): Promise<void> =>
      new Promise((resolve, reject) => {
        const request = {
          flow,
          response: response as unknown as ServerResponse,
          deadline: { signal: time.signal },
        };
        queue
          .run(request, () => {
            resolve();
            return work.promise;
          })
          .catch(reject);
      }),
    spend: () => {
      time.abort();
    },
    finish: () => {
      work.resolve(undefined);
    },
    /** The response is sent, or the client disconnects. */
    close: () => {
      response.destroyed = true;
      response.emit('close');
    },
  };
}

export const settled = (): Promise<void> => new Promise(setImmediate);
