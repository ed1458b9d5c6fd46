import { afterAll, beforeAll, beforeEach } from 'vitest';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { jsonOf } from '../../harness/answers.ts';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import {
  createWorkloadsClient,
  usingEnv,
  WORKLOAD_KINDS,
  type WorkloadsClient,
} from '../../harness/workloads.ts';

export const ENABLED = { SERVICE_RESTART_ENABLED: 'true' };
export const DENYING_POLICY = { allowedGroups: '["someone-else"]' };

/** A namespace with a Secret `db`, before a service with restart enabled. */
export interface ConsumersFixture {
  readonly stack: Stack;
  readonly namespace: string;
  readonly workloads: WorkloadsClient;
  pathTo(below: 'consumers' | 'restart', name?: string): string;
  restart(body?: object, client?: ApiClient): Promise<ApiAnswer>;
  consumers(): Promise<readonly object[]>;
  /** One consumer of each kind, and one of each that uses another Secret. */
  populate(): Promise<void>;
}

/** Gives each test of a file a namespace of its own; what is returned can be read within tests only. */
export function openConsumersFixture(): ConsumersFixture {
  let stack: Stack;
  let namespace: string;
  let workloads: WorkloadsClient;
  const clients: WorkloadsClient[] = [];

  beforeAll(async () => {
    stack = await startStack({ env: ENABLED });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await stack.close();
  });
  beforeEach(async () => {
    namespace = await stack.namespace();
    workloads = createWorkloadsClient(loadCredentials({ kubeconfig: stack.kubeconfigFile }), namespace);
    clients.push(workloads);
    await stack.kube.createSecret(namespace, nativeSecret('db', { key: 'value' }));
  });

  const pathTo: ConsumersFixture['pathTo'] = (below, name = 'db') => secretsPath(namespace, name, below);
  return {
    get stack() {
      return stack;
    },
    get namespace() {
      return namespace;
    },
    get workloads() {
      return workloads;
    },
    pathTo,
    restart: (body = {}, client = stack.developerA) => client.post(pathTo('restart'), body),
    async consumers() {
      const { consumers } = jsonOf(await stack.developerA.get(pathTo('consumers')), 200) as {
        consumers: readonly object[];
      };
      return consumers;
    },
    async populate() {
      for (const kind of WORKLOAD_KINDS) {
        await workloads.create(kind, 'uses-it', usingEnv('db'));
        await workloads.create(kind, 'uses-another', usingEnv('db2'));
      }
    },
  };
}
