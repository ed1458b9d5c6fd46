import { isDeepStrictEqual } from 'node:util';
import { type ApiObject } from '../api/object.ts';
import { at, type JsonObject } from '../json/json.ts';
import { DAEMON_SET, DEPLOYMENT, STATEFUL_SET } from '../kinds/workloads.ts';
import { type ResourceContext } from './context.ts';

/** Pods of a DaemonSet. */
const NODES = 3;

/** Takes every workload one step further, as controllers do: they observe a change, then replace one pod after another. */
export function stepRollouts({ store }: ResourceContext): void {
  for (const kind of [DAEMON_SET, DEPLOYMENT, STATEFUL_SET]) {
    for (const [, workload] of store.entries(kind, '')) {
      const status = nextStatus(workload);
      if (!isDeepStrictEqual(status, workload['status'])) store.put(kind, { ...workload, status });
    }
  }
}

/** With the fields of all kinds. */
function nextStatus({ metadata, spec, status }: ApiObject): JsonObject {
  const generation = metadata.generation ?? 0;
  const pods = Number(at(spec, 'replicas') ?? NODES);
  const isObserved = at(status, 'observedGeneration') === generation;
  const updated = isObserved ? Math.min(pods, Number(at(status, 'updatedReplicas') ?? 0) + 1) : 0;
  const updateRevision = `${metadata.name}-${generation}`;
  return {
    observedGeneration: generation,
    ...{ replicas: pods, updatedReplicas: updated, readyReplicas: pods, availableReplicas: pods },
    ...{ desiredNumberScheduled: pods, updatedNumberScheduled: updated, numberAvailable: pods },
    currentRevision: updated < pods ? (at(status, 'currentRevision') ?? '') : updateRevision,
    updateRevision,
  };
}
