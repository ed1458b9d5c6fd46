import { clientFor, person, type ApiClient } from '../harness/api-client.ts';
import { startService, type ServiceProcess, type ServiceProcessOptions } from '../harness/service-process.ts';
import { MEMBERS } from './judge/lists.ts';
import { pickOf, type Random } from './random.ts';
import type { Operation } from './recording.ts';

type Actor = Operation['actor'];

/** One process of the service, from its start to its end; one that is started again has another number. */
export interface Replica {
  readonly number: number;
  client(actor: Actor): ApiClient;
}

/** As many replicas as were requested, but while one of them comes back. */
export interface ReplicaSet {
  /** One that runs; waits for one when there is none. */
  pick(random: Random): Promise<Replica>;
  /** Kills one without a warning, and starts another in its place. */
  replace(random: Random): Promise<void>;
  stop(): Promise<void>;
}

const PEOPLE = {
  admin: person('admin@example.com', ['platform-admins']),
  member: person('member@example.com', [MEMBERS]),
  stranger: person('stranger@example.com', []),
} as const;

export interface ReplicaSetOptions {
  readonly count: number;
  readonly kubeconfigFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** The `dist/main.js` of another build: one of the replicas always runs it. */
  readonly otherBuild?: string | undefined;
}

/** Faults and a busy machine can keep a replica from becoming ready in time; a kubelet would start it again, too. */
const MAX_STARTS = 5;

async function startUntilReady(options: ServiceProcessOptions): Promise<ServiceProcess> {
  for (let starts = 1; ; starts++) {
    try {
      return await startService(options);
    } catch (error) {
      if (starts === MAX_STARTS) throw error;
    }
  }
}

export async function startReplicas({
  count,
  kubeconfigFile,
  env,
  otherBuild,
}: ReplicaSetOptions): Promise<ReplicaSet> {
  const running = new Map<Replica, ServiceProcess>();
  const others = new Set<ServiceProcess>();
  let last = 0;
  const start = async (build: string | undefined): Promise<void> => {
    const entry = build === undefined ? {} : { entry: build };
    const service = await startUntilReady({ kubeconfigFile, env, ...entry });
    if (build !== undefined) others.add(service);
    const clients = {
      admin: await clientFor(service.url, PEOPLE.admin),
      member: await clientFor(service.url, PEOPLE.member),
      stranger: await clientFor(service.url, PEOPLE.stranger),
    };
    running.set({ number: ++last, client: (actor) => clients[actor] }, service);
  };
  for (let index = 0; index < count; index++) await start(index === 0 ? otherBuild : undefined);
  return {
    async pick(random) {
      while (running.size === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      return pickOf(random, [...running.keys()]);
    },
    async replace(random) {
      const [replica, service] = pickOf(random, [...running]);
      running.delete(replica);
      service.signal('SIGKILL');
      await service.ended;
      await start(others.delete(service) ? otherBuild : undefined);
    },
    async stop() {
      await Promise.all([...running.values()].map((service) => service.stop()));
    },
  };
}
