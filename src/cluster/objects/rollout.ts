import type { Rollout, RolloutReason, WorkloadKind } from '../../workloads/ports.ts';
import { field, isObject } from './raw-object.ts';

/** The status belongs to the controllers and is their JSON: numbers are int32 in the Kubernetes API. */
const MAX_COUNT = 2_147_483_647;

interface Progress extends Omit<Rollout, 'reason'> {
  readonly reason?: RolloutReason | undefined;
}

type Rule = (spec: unknown, status: unknown) => Progress;

const RULES: Readonly<Record<Exclude<WorkloadKind, 'CronJob'>, Rule>> = {
  Deployment: (spec, status) => {
    const desired = count(spec, 'replicas');
    const updated = count(status, 'updatedReplicas');
    const available = count(status, 'availableReplicas');
    const done = updated >= desired && count(status, 'replicas') <= updated && available >= updated;
    const reason = hasExceededDeadline(status) ? 'progressDeadlineExceeded' : undefined;
    return { desired, updated, available, done: done && reason === undefined, reason };
  },
  StatefulSet: (spec, status) => {
    const replicas = count(spec, 'replicas');
    const strategy = field(spec, 'updateStrategy');
    const rollingUpdate = field(strategy, 'rollingUpdate');
    const desired = Math.max(0, replicas - count(rollingUpdate, 'partition'));
    const updated = count(status, 'updatedReplicas');
    const isUpdated =
      isObject(rollingUpdate) || isOnDelete(strategy)
        ? updated >= desired
        : revision(status, 'updateRevision') === revision(status, 'currentRevision');
    const done = count(status, 'readyReplicas') >= replicas && isUpdated;
    return withStrategy(strategy, { desired, updated, available: count(status, 'availableReplicas'), done });
  },
  DaemonSet: (spec, status) => {
    const desired = count(status, 'desiredNumberScheduled');
    const updated = count(status, 'updatedNumberScheduled');
    const available = count(status, 'numberAvailable');
    const done = updated >= desired && available >= desired;
    return withStrategy(field(spec, 'updateStrategy'), { desired, updated, available, done });
  },
};

/**
 * How far the last change of a workload's pods is, by the rules of `kubectl rollout status`. A number that is missing or
 * malformed is 0. A CronJob has no rollout.
 */
export function rolloutOf(kind: WorkloadKind, native: unknown): Rollout | undefined {
  if (kind === 'CronJob') return undefined;
  const status = field(native, 'status');
  const generation = count(field(native, 'metadata'), 'generation', Number.MAX_SAFE_INTEGER);
  const observed = count(status, 'observedGeneration', Number.MAX_SAFE_INTEGER);
  const isObserved = generation <= observed && (kind !== 'StatefulSet' || observed > 0);
  const { reason, ...progress } = RULES[kind](field(native, 'spec'), status);
  // Until then the status is about the pods of before.
  if (!isObserved) return { ...progress, updated: 0, done: false };
  return { ...progress, ...(reason !== undefined && { reason }) };
}

function withStrategy(strategy: unknown, progress: Progress): Progress {
  const { updated, desired } = progress;
  return { ...progress, reason: isOnDelete(strategy) && updated < desired ? 'onDelete' : undefined };
}

const isOnDelete = (strategy: unknown): boolean => field(strategy, 'type') === 'OnDelete';

function hasExceededDeadline(status: unknown): boolean {
  const given = field(status, 'conditions');
  const conditions: readonly unknown[] = Array.isArray(given) ? given : [];
  const progressing = conditions.find((condition) => field(condition, 'type') === 'Progressing');
  return field(progressing, 'reason') === 'ProgressDeadlineExceeded';
}

function revision(status: unknown, name: string): string {
  const value = field(status, name);
  return typeof value === 'string' ? value : '';
}

function count(value: unknown, name: string, max = MAX_COUNT): number {
  const number = field(value, name);
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max ? number : 0;
}
