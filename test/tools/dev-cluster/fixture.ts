import { afterEach } from 'vitest';
import {
  startDevCluster,
  type DevCluster,
  type DevClusterOptions,
} from '../../../hack/dev-cluster/dev-cluster.ts';
import { listAt, textAt, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { ClusterClient } from './cluster-client.ts';

export interface Fixture {
  readonly cluster: DevCluster;
  readonly client: ClusterClient;
  /** A client that speaks for a fresh service account without any rights. */
  readonly robot: (name: string) => Promise<ClusterClient>;
}

/** Lets a test file start clusters; they are closed after each test. */
export function useClusters(): (options?: DevClusterOptions) => Promise<Fixture> {
  const running: DevCluster[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((cluster) => cluster.close()));
  });
  return async (options = {}) => {
    const cluster = await startDevCluster(options);
    running.push(cluster);
    const client = new ClusterClient(cluster.url, cluster.adminToken);
    return { cluster, client, robot: (name) => robotOf(cluster, client, name) };
  };
}

async function robotOf(cluster: DevCluster, client: ClusterClient, name: string): Promise<ClusterClient> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await client.post(accounts, { metadata: { name } });
  const { body } = await client.post(`${accounts}/${name}/token`, { spec: {} });
  return new ClusterClient(cluster.url, textAt(body, 'status', 'token'));
}

export const SECRETS = '/api/v1/namespaces/default/secrets';

/** The body of a Secret with one value. */
export function secretBody(name: string, extra: Readonly<Record<string, Json>> = {}): Json {
  return { metadata: { name, ...extra }, data: { k: 'dg==' } };
}

/** The names of a list's items. */
export function namesOf(list: Json): readonly string[] {
  return listAt(list, 'items').map((item) => textAt(item, 'metadata', 'name'));
}

/** What a watch event says: its type, and the name of its object. */
export function eventText(event: Json): string {
  return `${textAt(event, 'type')} ${textAt(event, 'object', 'metadata', 'name')}`.trim();
}
