import { createHash } from 'node:crypto';
import { ServiceError } from '../../src/errors/service-error.ts';
import type { Deadline } from '../../src/timing/deadline.ts';
import { createFakeCluster, type FakeCluster } from '../fakes/fake-cluster.ts';
import type { FakeSecret } from '../fakes/fake-objects.ts';
import type { Change, SecretState } from '../consistency/recording.ts';
import { secretStateOf } from '../consistency/secret-state.ts';
import type { Choices } from './choices.ts';
import type { Scheduler } from './scheduler.ts';

export const NAMESPACE = 'team-a';

/** A change as a watch delivers it; a deleted object has the revision of its deletion. */
export interface WatchEvent {
  readonly kind: 'put' | 'gone';
  readonly object: FakeSecret;
}

/**
 * The cluster of a simulated run: the fake cluster, whose stores keep the promises of the real ones, with a record of
 * every change, and watches that lag behind it.
 */
export interface SimulatedCluster {
  readonly fake: FakeCluster;
  /** Of the namespace. */
  readonly changes: readonly Change[];
  /** To be called after each step: finds what has changed, records it, and notifies the watches. */
  observe(): void;
  /** What happens from now on; taken out as it is delivered. */
  watch(): { readonly events: WatchEvent[]; readonly close: () => void };
  /**
   * A store as one client reaches it: each request is sent, takes effect and is answered in turns of its own. What is
   * not sent by its deadline is not sent, and what is sent then may take effect a little later.
   */
  reach<Store extends object>(owner: string, store: Store): Store;
  /** Of the last change that the watches were notified of. */
  revision(): string;
}

/** Less than the time between RenewDeadline and LeaseDuration, which is there for it. */
const IN_FLIGHT_MS = 4_000;

/** In how many of so many requests something goes wrong: before the effect, or after it. */
const FAULT_EVERY = 24;

export function simulateCluster(scheduler: Scheduler, choices: Choices, now: () => number): SimulatedCluster {
  const fake = createFakeCluster({ namespaces: [NAMESPACE, 'team-b'] });
  const known = new Map<string, FakeSecret>();
  const changes: Change[] = [];
  const watches = new Set<WatchEvent[]>();
  let last = 0;

  const record = ({ kind, object }: WatchEvent): void => {
    last = revisionOf(object);
    if (object.namespace === NAMESPACE)
      changes.push({ kind, revision: last, seenAt: now(), object: stateOf(object) });
    for (const events of watches) events.push({ kind, object });
  };
  return {
    fake,
    changes,
    observe() {
      if (fake.revision() === last) return;
      const all = new Map(fake.all().map((secret) => [secret.uid, secret]));
      const put = [...all.values()].filter(({ uid, resourceVersion }) => {
        return known.get(uid)?.resourceVersion !== resourceVersion;
      });
      const gone = [...known.values()].filter(({ uid }) => !all.has(uid));
      const events = [
        ...put.map((object) => ({ kind: 'put', object }) as const),
        ...withRevisions(gone, new Set(put.map(revisionOf)), fake.revision()),
      ];
      for (const event of events.toSorted((one, other) => revisionOf(one.object) - revisionOf(other.object)))
        record(event);
      known.clear();
      for (const [uid, secret] of all) known.set(uid, secret);
    },
    watch() {
      const events: WatchEvent[] = [];
      watches.add(events);
      return { events, close: () => void watches.delete(events) };
    },
    reach: (owner, store) => taking(store, owner, { scheduler, choices, now }),
    revision: () => String(last),
  };
}

/** A deletion has the last revisions that no other change has. */
function withRevisions(
  gone: readonly FakeSecret[],
  taken: ReadonlySet<number>,
  newest: number,
): readonly WatchEvent[] {
  let next = newest;
  return gone.map((secret) => {
    while (taken.has(next)) next--;
    return { kind: 'gone', object: { ...secret, resourceVersion: String(next--) } };
  });
}

function revisionOf({ resourceVersion }: FakeSecret): number {
  return Number(resourceVersion);
}

function stateOf({ data, type, ...secret }: FakeSecret): SecretState {
  const { name, uid, deletionTimestamp, annotations } = secret;
  return secretStateOf({
    metadata: {
      ...{ name, uid, annotations: Object.fromEntries(annotations) },
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    data: Object.fromEntries([...data].map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
    type,
  });
}

const WRITES: readonly string[] = ['create', 'replace', 'patchMetadata', 'delete'];

interface Turns {
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  readonly now: () => number;
}

/** Puts the turns of the scheduler around each method. */
function taking<Store extends object>(
  store: Store,
  owner: string,
  { scheduler, choices, now }: Turns,
): Store {
  return new Proxy(store, {
    get(target, method: string) {
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const label = `${method} ${nameIn(args[0])}`;
        const until = now() + (args.at(-1) as Deadline).remainingMs();
        await scheduler.turn(owner, `sends ${label}`);
        if (now() > until + IN_FLIGHT_MS) throw new ServiceError('unavailable', 'The deadline has passed');
        const fault = choices.below(FAULT_EVERY);
        if (fault === 1) throw new ServiceError('unavailable', 'The simulated cluster refused the request');
        const result = await settledResult(target, method, args);
        await scheduler.turn(owner, `receives ${label}`);
        if (fault === 2) {
          const code = WRITES.includes(method) ? 'uncertain' : 'unavailable';
          throw new ServiceError(code, 'The simulated cluster lost the answer: its outcome is uncertain');
        }
        if (!result.ok) throw result.error;
        return result.value;
      };
    },
  });
}

type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ServiceError };

async function settledResult(target: object, method: string, args: readonly unknown[]): Promise<Result> {
  try {
    const call = Reflect.get(target, method) as (...given: readonly unknown[]) => Promise<unknown>;
    return { ok: true, value: await call(...args) };
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error };
    throw error;
  }
}

function nameIn(target: unknown): string {
  const name =
    typeof target === 'object' && target !== null ? (target as { readonly name?: unknown }).name : target;
  return typeof name === 'string' ? name : '';
}

/** A short text for values that only one write writes. */
export function labelOf(number: number): string {
  return createHash('sha256').update(String(number)).digest('hex').slice(0, 8);
}
