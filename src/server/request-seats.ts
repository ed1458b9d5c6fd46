import type { ServerResponse } from 'node:http';
import type { Deadline } from '../timing/deadline.ts';
import { FairQueue, type FairQueueLimits, type Refusal } from './fair-queue.ts';

/**
 * Requests that work with the cluster. A browser sends some ten at once over HTTP/2, a script perhaps fifty. Each needs
 * a few times the size of a Secret, so 64 admitted requests fit into memory several times.
 */
const CLUSTER_WORK: FairQueueLimits = {
  seats: 16,
  admitted: 64,
  admittedPerFlow: 8,
  queued: 512,
  queuedPerFlow: 64,
};

/** Sign-ins wait for the provider and use little memory. Many people may share an address. */
const SIGN_INS: FairQueueLimits = {
  seats: 32,
  admitted: 32,
  admittedPerFlow: 8,
  queued: 256,
  queuedPerFlow: 32,
};

/** Aborted without a reason, a signal makes an error with a stack: at the end of every request. */
const CLOSED = 'the response is sent or its connection is closed';

/** Which bound of {@link BOUNDS} a queue's refusal counts for. */
const CLUSTER_WORK_BOUND = {
  flow: 'requests_person',
  total: 'requests_total',
  time: 'requests_wait',
} as const;
const SIGN_IN_BOUND = { flow: 'sign_ins_address', total: 'sign_ins_total', time: 'sign_ins_wait' } as const;

export type SeatBound = (typeof CLUSTER_WORK_BOUND | typeof SIGN_IN_BOUND)[Refusal];

/** Whose request it is, and what ends its wait. */
export interface SeatRequest {
  /** The person or the address that the bound is for. */
  readonly flow: string;
  readonly response: ServerResponse;
  readonly deadline: Deadline;
}

export type RequestSeats = ReturnType<typeof createRequestSeats>;

/** The seats of a replica. `onRefused` is called for each refusal. */
export function createRequestSeats(onRefused: (bound: SeatBound) => void) {
  const clusterWork = new FairQueue(CLUSTER_WORK, (by) => {
    onRefused(CLUSTER_WORK_BOUND[by]);
  });
  const signIns = new FairQueue(SIGN_INS, (by) => {
    onRefused(SIGN_IN_BOUND[by]);
  });
  return {
    /** Runs a request's work with the cluster. The seat is free again once the work is done and the response is sent. */
    forClusterWork: <Result>(request: SeatRequest, work: () => Promise<Result>) =>
      seated(clusterWork, request, work),
    /** Runs a step of a sign-in. */
    forSignIn: <Result>(request: SeatRequest, work: () => Promise<Result>) => seated(signIns, request, work),
    /** Figures of the work with the cluster. */
    figures: () => clusterWork.figures(),
  };
}

async function seated<Result>(
  queue: FairQueue,
  { flow, response, deadline }: SeatRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const disconnect = new AbortController();
  let isDone = false;
  const closed = closeOf(response).then(() => {
    // An abort makes an event. Once the work is done, nothing waits for it.
    if (!isDone) disconnect.abort(CLOSED);
  });
  const seat = await queue.enter(flow, {
    disconnect: disconnect.signal,
    get deadline() {
      return deadline.signal;
    },
  });
  try {
    return await work();
  } finally {
    isDone = true;
    // The response is in memory until the client has read it. Others may work meanwhile, but this person stays within
    // their bound.
    seat.finish();
    void closed.then(() => {
      seat.leave();
    });
  }
}

/** Resolves when the response is sent, or the connection is lost. */
function closeOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once('close', resolve);
  });
}
