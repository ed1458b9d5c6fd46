import { vi } from 'vitest';
import { FairQueue, type FairQueueLimits, type Refusal } from '../../../src/server/fair-queue.ts';

const LIMITS: FairQueueLimits = { seats: 2, admitted: 4, admittedPerFlow: 2, queued: 4, queuedPerFlow: 2 };

export function queueOf(limits: Partial<FairQueueLimits> = {}) {
  const onRefused = vi.fn<(by: Refusal) => void>();
  return { queue: new FairQueue({ ...LIMITS, ...limits }, onRefused), onRefused };
}

export const settled = (): Promise<void> => new Promise(setImmediate);
