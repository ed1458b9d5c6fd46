import { ServiceError, type ErrorCode } from '../errors/service-error.ts';
import type { Bound } from '../observability/metric-table.ts';

/** The share of the budget for one person: it takes four people to use it up. */
const PERSON_SHARE = 1 / 4;

/** As many as may work with the cluster or wait for it. Each takes a connection, even before its first byte. */
const MAX_BODIES_PER_PERSON = 72;

/** Bodies are received and handled within seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Errors by the bound that refuses. */
const REFUSALS = {
  requests_person: ['rateLimited', 'tooManyAtOnce', 'Too many requests at once; try again later'],
  body_bytes_person: [
    'bodyBudgetExceeded',
    'bodyBytesPerson',
    'Too many of your request bodies are on their way; try again later',
  ],
  body_bytes_total: [
    'bodyBudgetExceeded',
    'bodyBytesTotal',
    'Too many request bodies are on their way; try again later',
  ],
  body_slow: [
    'bodyBudgetExceeded',
    'bodyTooSlow',
    'The request body arrived too slowly while others waited; try again later',
  ],
} as const satisfies Partial<Record<Bound, readonly [ErrorCode, reason: string, message: string]>>;

/** A body may pause so long. */
const MAX_PAUSE_MS = 2_000;
/** A body is slow unless, at its rate of the last two seconds, it doubles in this time. */
const GROWTH_MS = 8_000;

interface Body {
  held: number;
  /** When the body is too slow unless more of it arrives. */
  dueAt: number;
  readonly end: (error: ServiceError) => void;
}

interface Person {
  readonly bodies: Set<Body>;
  held: number;
}

/** The bytes of request bodies that this replica holds at once, from their arrival until they are handled. */
export class BodyBudget {
  readonly #limit: number;
  readonly onRefused: (bound: Bound) => void;
  /** Only people with bodies under way. */
  readonly #people = new Map<string, Person>();
  #total = 0;

  /** @param limit in bytes */
  constructor(limit: number, onRefused: (bound: Bound) => void) {
    this.#limit = limit;
    this.onRefused = onRefused;
  }

  readonly heldBytes = (): number => this.#total;

  /**
   * @param key the person whose share is used
   * @param end is called when the body arrives too slowly and others need its bytes, which are released
   * @throws {ServiceError} `rateLimited`
   */
  open(key: string, end: (error: ServiceError) => void) {
    const person = this.#people.get(key) ?? { bodies: new Set<Body>(), held: 0 };
    if (person.bodies.size >= MAX_BODIES_PER_PERSON) throw this.#refuse('requests_person');
    const release = (): void => {
      this.#hold(person, body, -body.held);
      person.bodies.delete(body);
      if (person.bodies.size === 0) this.#people.delete(key);
    };
    const body: Body = {
      held: 0,
      dueAt: performance.now() + MAX_PAUSE_MS,
      end(error) {
        release();
        end(error);
      },
    };
    person.bodies.add(body);
    this.#people.set(key, person);
    return {
      /** Reserves so many more bytes, or returns `bodyBudgetExceeded` if they do not fit. */
      reserve: (bytes: number) => this.#reserve(person, body, bytes),
      /** The last byte has arrived: from now on the body is not too slow. */
      complete: () => {
        body.dueAt = Infinity;
      },
      /** Releases what is reserved. */
      release,
    };
  }

  #reserve(person: Person, body: Body, bytes: number): ServiceError | undefined {
    const now = performance.now();
    for (;;) {
      const bound = this.#exceeded(person, bytes);
      if (bound === undefined) break;
      const bodies = bound === 'body_bytes_person' ? person.bodies : this.#bodies();
      const slow = largestOverdue(bodies, now);
      if (slow === undefined || slow === body) return this.#refuse(bound);
      slow.end(this.#refuse('body_slow'));
    }
    this.#hold(person, body, bytes);
    const credit = (GROWTH_MS * bytes) / body.held;
    body.dueAt = Math.min(now + MAX_PAUSE_MS, Math.max(body.dueAt, now) + credit);
    return undefined;
  }

  #exceeded(person: Person, bytes: number): 'body_bytes_person' | 'body_bytes_total' | undefined {
    if (person.held + bytes > Math.floor(this.#limit * PERSON_SHARE)) return 'body_bytes_person';
    return this.#total + bytes > this.#limit ? 'body_bytes_total' : undefined;
  }

  #refuse(bound: keyof typeof REFUSALS): ServiceError {
    this.onRefused(bound);
    const [code, reason, message] = REFUSALS[bound];
    return new ServiceError(code, message, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  #hold(person: Person, body: Body, bytes: number): void {
    body.held += bytes;
    person.held += bytes;
    this.#total += bytes;
  }

  *#bodies(): Iterable<Body> {
    for (const { bodies } of this.#people.values()) yield* bodies;
  }
}

/** Ending the largest frees most for others. */
function largestOverdue(bodies: Iterable<Body>, now: number): Body | undefined {
  let largest: Body | undefined;
  for (const body of bodies) {
    if (body.dueAt <= now && body.held > (largest?.held ?? 0)) largest = body;
  }
  return largest;
}
