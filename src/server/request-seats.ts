import type { ServerResponse } from 'node:http';
import { ServiceError, type ErrorCode } from '../errors/service-error.ts';
import type { Bound } from '../observability/metric-table.ts';
import type { Deadline } from '../timing/deadline.ts';

/** How much work may run at once. A flow is one origin of work: a person, a client address. */
export interface FairQueueLimits {
  /** Requests that are worked on. */
  readonly seats: number;
  /** Requests that are worked on, or that wait for their client to read an answer. */
  readonly admitted: number;
  readonly admittedPerFlow: number;
  /** Requests that wait for a seat. */
  readonly queued: number;
  readonly queuedPerFlow: number;
  /** What a refusal counts for. */
  readonly bounds: Readonly<Record<Refusal, Bound>>;
}

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
  bounds: { flow: 'requests_person', total: 'requests_total', time: 'requests_wait' },
};

/** Sign-ins wait for the provider and use little memory. Many people may share an address. */
const SIGN_INS: FairQueueLimits = {
  seats: 32,
  admitted: 32,
  admittedPerFlow: 8,
  queued: 256,
  queuedPerFlow: 32,
  bounds: { flow: 'sign_ins_address', total: 'sign_ins_total', time: 'sign_ins_wait' },
};

/** The seats of a replica: for work with the cluster, and for steps of sign-ins. */
export function createRequestSeats(onRefused: (bound: Bound) => void) {
  return { clusterWork: new FairQueue(CLUSTER_WORK, onRefused), signIns: new FairQueue(SIGN_INS, onRefused) };
}

export type RequestSeats = ReturnType<typeof createRequestSeats>;

/** The bound that refused a request: the queue of its flow, the queue in total, or its own time. */
type Refusal = keyof typeof REFUSALS;

const REFUSALS = {
  flow: ['rateLimited', 'tooManyAtOnce', 'Too many requests at once; try again later'],
  total: ['overloaded', 'queueFull', 'The service is busy; try again later'],
  time: ['overloaded', 'queueTime', 'The service is busy; try again later'],
} as const satisfies Record<string, readonly [ErrorCode, reason: string, message: string]>;

/** The Retry-After of refused requests: the queue moves within seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Whose request it is, and what ends its wait. */
interface SeatRequest {
  /** The person or the address that the bound is for. */
  readonly flow: string;
  readonly response: Pick<ServerResponse, 'destroyed' | 'once' | 'off'>;
  readonly deadline: Pick<Deadline, 'signal'>;
}

interface Flow {
  readonly key: string;
  admitted: number;
  /** Requests that wait to begin. */
  readonly waiting: Set<() => void>;
}

/**
 * Shares a few seats among flows, so that the requests of one flow do not delay those of another. Flows take turns: each
 * waiting flow gets one seat per turn, however many requests it has.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #onRefused: (bound: Bound) => void;
  /** Flows with admitted or queued requests. The one that was served longest ago is first. */
  readonly #flows = new Map<string, Flow>();
  readonly #count = { working: 0, admitted: 0, queued: 0 };

  /** @param onRefused is called for each refusal, but not when a client has disconnected */
  constructor(limits: FairQueueLimits, onRefused: (bound: Bound) => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /**
   * Runs a request's work once it has a seat. The seat is free again once the work is done and the response is sent.
   * @throws {ServiceError} `rateLimited` (bound of the flow) or `overloaded` (bound in total, time)
   */
  async run<Result>(request: SeatRequest, work: () => Promise<Result>): Promise<Result> {
    const flow = this.#flowOf(request.flow);
    await this.#wait(flow, request);
    try {
      return await work();
    } finally {
      this.#count.working--;
      // The response is in memory until the client has read it. Others may work meanwhile, but this person stays within
      // their bound.
      const leave = (): void => {
        flow.admitted--;
        this.#count.admitted--;
        this.#forgetIfEmpty(flow);
        this.#dispatch();
      };
      if (request.response.destroyed) leave();
      else request.response.once('close', leave);
      this.#dispatch();
    }
  }

  figures() {
    const { working, admitted, queued } = this.#count;
    return { working, waitingForClient: admitted - working, queued };
  }

  /** Waits until a seat is free. */
  #wait(flow: Flow, { response, deadline: { signal } }: SeatRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        flow.waiting.delete(start);
        this.#count.queued--;
        response.off('close', giveUp);
        signal.removeEventListener('abort', giveUp);
      };
      const start = (): void => {
        settle();
        flow.admitted++;
        this.#count.admitted++;
        this.#count.working++;
        resolve();
      };
      const refuse = (by: Refusal): void => {
        settle();
        this.#forgetIfEmpty(flow);
        if (!response.destroyed) this.#onRefused(this.#limits.bounds[by]);
        const [code, reason, message] = REFUSALS[by];
        reject(new ServiceError(code, message, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS }));
      };
      const giveUp = (): void => {
        refuse('time');
      };
      flow.waiting.add(start);
      this.#count.queued++;
      this.#dispatch();
      if (!flow.waiting.has(start)) return;
      if (flow.waiting.size > this.#limits.queuedPerFlow) refuse('flow');
      else if (this.#count.queued > this.#limits.queued) refuse('total');
      else if (response.destroyed || signal.aborted) giveUp();
      else {
        response.once('close', giveUp);
        signal.addEventListener('abort', giveUp);
      }
    });
  }

  /** Gives the free seats to waiting requests. Everything that may free a seat calls it at its end. */
  #dispatch(): void {
    while (this.#count.working < this.#limits.seats) {
      const [flow, start] = this.#nextInTurn() ?? [];
      if (flow === undefined || start === undefined) return;
      this.#flows.delete(flow.key);
      this.#flows.set(flow.key, flow); // Moves the flow to the end.
      start();
    }
  }

  #nextInTurn(): readonly [Flow, () => void] | undefined {
    const { admittedPerFlow, admitted } = this.#limits;
    if (this.#count.admitted >= admitted) return undefined;
    for (const flow of this.#flows.values()) {
      const [start] = flow.waiting;
      if (start !== undefined && flow.admitted < admittedPerFlow) return [flow, start];
    }
    return undefined;
  }

  #flowOf(key: string): Flow {
    const known = this.#flows.get(key);
    if (known !== undefined) return known;
    const flow: Flow = { key, admitted: 0, waiting: new Set() };
    this.#flows.set(key, flow);
    return flow;
  }

  #forgetIfEmpty(flow: Flow): void {
    if (flow.admitted === 0 && flow.waiting.size === 0) this.#flows.delete(flow.key);
  }
}
