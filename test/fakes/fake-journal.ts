import { isServiceError, ServiceError, type ErrorCode } from '../../src/errors/service-error.ts';
import type { Deadline } from '../../src/timing/deadline.ts';

/** The methods of the ports, by which calls are recorded and disturbed. */
export type FakeMethod =
  | 'secrets.read'
  | 'secrets.listPage'
  | 'secrets.listMetadata'
  | 'secrets.create'
  | 'secrets.replace'
  | 'secrets.patchMetadata'
  | 'secrets.delete'
  | 'policies.read'
  | 'policies.readAll'
  | 'namespaces.names';

export interface FakeCall {
  readonly method: FakeMethod;
  readonly namespace?: string;
  readonly name?: string;
}

/** Which calls a disturbance meets. */
export interface Disturbance {
  readonly method: FakeMethod;
  /** Before the effect (the default), or after it: the write happened and the caller does not learn of it. */
  readonly when?: 'before' | 'after';
  /** Only the object of this name. */
  readonly name?: string;
  /** Calls to let pass first; 0 by default. */
  readonly skip?: number;
  /** How many calls to meet; 1 by default. */
  readonly times?: number;
}

/** Records every call and runs what a test wants to happen around it. */
export interface Journal {
  /** All calls, in the order in which they began. */
  readonly calls: FakeCall[];
  /** Runs `action` around the calls that the disturbance names: another writer, a pause, a throw. */
  readonly on: (disturbance: Disturbance, action: () => void | Promise<void>) => void;
  /** Makes the calls fail with a ServiceError of this code (or this very error). */
  readonly fail: (disturbance: Disturbance, failure: ErrorCode | Error) => void;
  run<Result>(entry: FakeCall, deadline: Deadline, effect: () => Result): Promise<Result>;
}

interface Rule {
  readonly disturbance: Disturbance;
  readonly action: () => void | Promise<void>;
  skip: number;
  left: number;
}

export function createJournal(): Journal {
  const calls: FakeCall[] = [];
  const rules: Rule[] = [];

  const disturb = async (when: 'before' | 'after', { method, name }: FakeCall): Promise<void> => {
    for (const rule of rules) {
      const wanted = rule.disturbance;
      if (wanted.method !== method || (wanted.when ?? 'before') !== when) continue;
      if (wanted.name !== undefined && wanted.name !== name) continue;
      if (rule.skip > 0) rule.skip -= 1;
      else if (rule.left > 0) {
        rule.left -= 1;
        await rule.action();
      }
    }
  };
  const on: Journal['on'] = (disturbance, action) => {
    rules.push({ disturbance, action, skip: disturbance.skip ?? 0, left: disturbance.times ?? 1 });
  };
  return {
    calls,
    on,
    fail: (disturbance, failure) => {
      on(disturbance, () => {
        throw typeof failure === 'string'
          ? new ServiceError(failure, `The cluster failed: ${failure}`)
          : failure;
      });
    },
    run: async (entry, deadline, effect) => {
      calls.push(entry);
      if (deadline.signal.aborted || deadline.remainingMs() <= 0) {
        throw new ServiceError('unavailable', 'The cluster did not answer in time', {
          reason: 'deadlineExceeded',
        });
      }
      await disturb('before', entry);
      const result = effect();
      await disturb('after', entry);
      return result;
    },
  };
}

/** The code of the ServiceError that `promise` rejects with; fails when it does anything else. */
export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isServiceError(outcome)) return outcome.code;
  throw new Error('expected a ServiceError', { cause: outcome });
}
