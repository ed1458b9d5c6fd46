import type { FaultAction, FaultRule } from '../../hack/dev-cluster/faults/rule.ts';
import { SERVICE_USER } from '../../hack/demo/service-account.ts';
import type { Disturb } from './cluster.ts';
import { pickOf, type Random } from './random.ts';
import type { ReplicaSet } from './replica-set.ts';

export interface DisturbanceOptions {
  /** Undefined on a cluster that is not the run's own: then only replicas are killed. */
  readonly disturb: Disturb | undefined;
  readonly replicas: ReplicaSet;
  readonly random: Random;
  readonly signal: AbortSignal;
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const ACTIONS: readonly FaultAction[] = [
  { type: 'delay', ms: 150 },
  { type: 'status', status: 500 },
  { type: 'status', status: 500, when: 'after' },
  { type: 'status', status: 503 },
  { type: 'status', status: 504, when: 'after' },
  { type: 'status', status: 429, retryAfter: 1 },
  { type: 'cut' },
  { type: 'cut', when: 'after' },
  { type: 'cut', when: 'midway' },
  { type: 'endWatch' },
  { type: 'endWatch', abrupt: true, afterEvents: 2 },
  { type: 'silenceWatch', afterEvents: 1 },
  { type: 'dropBookmarks' },
  { type: 'expireContinue' },
  { type: 'gone' },
];
const FAULT_EVERY_MS = 250;
const KILL_EVERY_MS = 12_000;
const FREEZE_EVERY_MS = 20_000;
const LONGEST_FREEZE_MS = 1_500;

export interface Disturbances {
  /** Whether each kind of disturbance has happened: every action of a fault, a kill and a freeze. */
  hadAll(): boolean;
  readonly ended: Promise<void>;
}

/** Makes requests fail, kills replicas and stops the cluster for moments, until `signal` is aborted. */
export function startDisturbances({ disturb, replicas, random, signal }: DisturbanceOptions): Disturbances {
  const pending = new Set<unknown>(['kill', ...(disturb === undefined ? [] : ['freeze', ...ACTIONS])]);
  const every = async (ms: number, act: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      await pause(ms * (0.5 + random()), signal);
      if (signal.aborted) return;
      pending.delete(await act());
    }
  };
  const kill = async () => {
    await replicas.replace(random);
    return 'kill';
  };
  const run = async (): Promise<void> => {
    const kills = every(KILL_EVERY_MS, kill);
    if (disturb === undefined) return kills;
    const faults = every(FAULT_EVERY_MS, async () => {
      const rule = randomFault(random);
      await disturb.fault(rule);
      return rule.action;
    });
    const freezes = every(FREEZE_EVERY_MS, async () => {
      await disturb.freeze(random() * LONGEST_FREEZE_MS);
      return 'freeze';
    });
    await Promise.all([kills, faults, freezes]);
    await disturb.heal();
  };
  // What ends by an error has to be waited for no longer.
  const ended = run().finally(() => {
    pending.clear();
  });
  return { hadAll: () => pending.size === 0, ended };
}

function randomFault(random: Random): FaultRule {
  return {
    match: { user: SERVICE_USER, verb: pickOf(random, VERBS) },
    times: 1 + Math.floor(random() * 3),
    action: pickOf(random, ACTIONS),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
