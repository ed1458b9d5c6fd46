import { ServiceError, type ErrorCode } from '../errors/service-error.ts';

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
}

/** The bound that refused a request: the queue of its flow, the queue in total, or its own time. */
export type Refusal = 'flow' | 'total' | 'time';

/** How long a request may wait: until its deadline, or until its client disconnects. */
export interface WaitSignals {
  /** Read only when the request has to wait. */
  readonly deadline: AbortSignal;
  readonly disconnect: AbortSignal;
}

/** The place of one admitted request. */
export interface Seat {
  /** The work is done. The request stays admitted until its client has the answer, which is in memory. */
  finish(): void;
  /** The request is over. Only the first call counts. */
  leave(): void;
}

/** The Retry-After of refused requests: the queue moves within seconds. */
const RETRY_AFTER_SECONDS = 1;

const REFUSALS = {
  flow: ['rateLimited', 'tooManyAtOnce', 'Too many requests at once; try again later'],
  total: ['overloaded', 'queueFull', 'The service is busy; try again later'],
  time: ['overloaded', 'queueTime', 'The service is busy; try again later'],
} as const satisfies Record<Refusal, readonly [ErrorCode, reason: string, message: string]>;

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
  readonly #onRefused: (by: Refusal) => void;
  /** Flows with admitted or queued requests. The one that was served longest ago is first. */
  readonly #flows = new Map<string, Flow>();
  readonly #count = { working: 0, admitted: 0, queued: 0 };

  /** @param onRefused is called for each refusal, but not when a client has disconnected */
  constructor(limits: FairQueueLimits, onRefused: (by: Refusal) => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /** Waits for a seat. @throws {ServiceError} `rateLimited` (bound of the flow) or `overloaded` (bound in total, time) */
  async enter(key: string, signals: WaitSignals): Promise<Seat> {
    const flow = this.#flowOf(key);
    try {
      await this.#wait(flow, signals);
    } finally {
      this.#forgetIfEmpty(flow);
    }
    return this.#seatOf(flow);
  }

  figures() {
    const { working, admitted, queued } = this.#count;
    return { working, waitingForClient: admitted - working, queued };
  }

  #seatOf(flow: Flow): Seat {
    let state: 'working' | 'finished' | 'left' = 'working';
    const finish = (): void => {
      if (state !== 'working') return;
      state = 'finished';
      this.#count.working--;
      this.#dispatch();
    };
    return {
      finish,
      leave: () => {
        if (state === 'left') return;
        finish();
        state = 'left';
        flow.admitted--;
        this.#count.admitted--;
        this.#forgetIfEmpty(flow);
        this.#dispatch();
      },
    };
  }

  /** Waits until a seat is free. */
  #wait(flow: Flow, signals: WaitSignals): Promise<void> {
    return new Promise((resolve, reject) => {
      let stopListening = (): void => undefined;
      const settle = (): void => {
        flow.waiting.delete(start);
        this.#count.queued--;
        stopListening();
      };
      const start = (): void => {
        settle();
        flow.admitted++;
        this.#count.admitted++;
        this.#count.working++;
        resolve();
      };
      const giveUp = (): void => {
        settle();
        reject(signals.disconnect.aborted ? refusal('time') : this.#refuse('time'));
      };
      flow.waiting.add(start);
      this.#count.queued++;
      this.#dispatch();
      if (!flow.waiting.has(start)) return;
      const by = this.#full(flow);
      if (by !== undefined) {
        settle();
        reject(this.#refuse(by));
      } else if (signals.disconnect.aborted || signals.deadline.aborted) giveUp();
      else stopListening = onAbort([signals.deadline, signals.disconnect], giveUp);
    });
  }

  #full(flow: Flow): Refusal | undefined {
    if (flow.waiting.size > this.#limits.queuedPerFlow) return 'flow';
    return this.#count.queued > this.#limits.queued ? 'total' : undefined;
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

  #refuse(by: Refusal): ServiceError {
    this.#onRefused(by);
    return refusal(by);
  }
}

/** @returns a function that stops listening */
function onAbort(signals: readonly AbortSignal[], listener: () => void): () => void {
  for (const signal of signals) signal.addEventListener('abort', listener);
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', listener);
  };
}

function refusal(by: Refusal): ServiceError {
  const [code, reason, message] = REFUSALS[by];
  return new ServiceError(code, message, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
