import type { Rollout, Workload, WorkloadRef, WorkloadStore } from '../../src/workloads/ports.ts';
import { ServiceError, type ErrorCode } from '../../src/errors/service-error.ts';

export interface WorkloadSeed extends WorkloadRef {
  readonly paused?: boolean;
  readonly podSpec?: unknown;
  readonly rollout?: Rollout;
}

/** Workloads in memory. It passes the contract of the port (test/contract/ports/workload-store.contract.ts). */
export interface FakeWorkloadStore extends WorkloadStore {
  /** What was requested, such as `list Deployment` and `restart Deployment/web`. */
  readonly calls: string[];
  /** Creates a workload, or gives the one of this name another state. */
  put(seed: WorkloadSeed): Workload;
  remove(ref: WorkloadRef): void;
  /** When it was restarted last. */
  restartedAt(ref: WorkloadRef): Date | undefined;
  /** Runs `action` before each of the next `times` calls that read so. */
  before(call: string, action: () => void, times?: number): void;
  /** Fails the next calls that read so. */
  fail(call: string, failure: ErrorCode | Error, times?: number): void;
}

const PAGE = 2;

export function createFakeWorkloadStore(): FakeWorkloadStore {
  const workloads = new Map<string, Workload>();
  const restarts = new Map<string, Date>();
  const { begin, ...record } = createRecord();
  let revision = 0;
  return {
    ...record,
    put({ kind, namespace, name, paused = false, podSpec = {}, rollout }) {
      const key = keyOf({ kind, namespace, name });
      const uid = workloads.get(key)?.uid ?? `uid-${++revision}`;
      const resourceVersion = String(++revision);
      const workload = { kind, namespace, name, uid, resourceVersion, paused, podSpec, rollout };
      workloads.set(key, workload);
      return workload;
    },
    remove: (ref) => void workloads.delete(keyOf(ref)),
    restartedAt: (ref) => restarts.get(keyOf(ref)),
    listPage: async (kind, namespace, { limit, continueToken }) => {
      await Promise.resolve();
      begin(`list ${kind}`);
      const all = [...workloads.values()].filter((one) => one.kind === kind && one.namespace === namespace);
      const from = Number(continueToken ?? '0');
      const to = from + Math.min(limit, PAGE);
      return {
        items: all.slice(from, to),
        resourceVersion: String(revision),
        continueToken: to < all.length ? String(to) : undefined,
        bytes: 1,
      };
    },
    read: async (ref) => {
      await Promise.resolve();
      begin(`read ${ref.kind}/${ref.name}`);
      return workloads.get(keyOf(ref));
    },
    restart: async (workload, at) => {
      await Promise.resolve();
      begin(`restart ${workload.kind}/${workload.name}`);
      const current = workloads.get(keyOf(workload));
      if (current === undefined) throw refused('notFound');
      const same = current.uid === workload.uid && current.resourceVersion === workload.resourceVersion;
      if (!same) throw refused('conflict');
      workloads.set(keyOf(workload), { ...current, resourceVersion: String(++revision) });
      restarts.set(keyOf(workload), at);
    },
  };
}

/** The calls, and what a test wants to happen before them. */
function createRecord(): Pick<FakeWorkloadStore, 'calls' | 'before' | 'fail'> & {
  readonly begin: (call: string) => void;
} {
  const calls: string[] = [];
  const rules: { readonly call: string; readonly action: () => void; left: number }[] = [];
  const before: FakeWorkloadStore['before'] = (call, action, times = 1) => {
    rules.push({ call, action, left: times });
  };
  return {
    calls,
    before,
    fail: (call, failure, times) => {
      const error = typeof failure === 'string' ? refused(failure) : failure;
      before(
        call,
        () => {
          throw error;
        },
        times,
      );
    },
    begin: (call) => {
      calls.push(call);
      for (const rule of rules) {
        if (rule.call !== call || rule.left === 0) continue;
        rule.left -= 1;
        rule.action();
      }
    },
  };
}

function refused(code: ErrorCode): ServiceError {
  return new ServiceError(code, `The cluster said ${code}`);
}

function keyOf({ kind, namespace, name }: WorkloadRef): string {
  return `${kind}/${namespace}/${name}`;
}
