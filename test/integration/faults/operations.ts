import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import type { KubeClient, ClusterObject } from '../../harness/kube-client.ts';

/** One namespace to try one operation in. */
export interface Fixture {
  readonly kube: KubeClient;
  readonly namespace: string;
  /** Works under the policy of the namespace. */
  readonly client: ApiClient;
  readonly secrets: SecretsClient;
}

export async function createFixture(
  kube: KubeClient,
  namespace: string,
  client: ApiClient,
): Promise<Fixture> {
  await kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
  return { kube, namespace, client, secrets: secretsOf(client, namespace) };
}

export const liveOf = ({ kube, namespace }: Fixture): Promise<ClusterObject | undefined> =>
  kube.getSecret(namespace, 'a');

export async function historyOf({ kube, namespace }: Fixture): Promise<ReadonlyMap<number, string>> {
  const snapshots = await kube.listSecrets(namespace, 'service.io/kind=history');
  return new Map(
    snapshots
      .map(({ metadata, data }): [number, string] => [
        Number(metadata.annotations?.['service.io/history-version']),
        Buffer.from(data?.['key'] ?? '', 'base64').toString(),
      ])
      .sort(([one], [other]) => one - other),
  );
}

/** A write, with the calls to the cluster that it consists of. */
export interface Operation {
  readonly name: string;
  /** In words, in order; a test holds this list to the calls of a clean run. */
  readonly calls: readonly string[];
  /** The call by which the live Secret is changed. */
  readonly effect: string;
  readonly success: number;
  prepare(fixture: Fixture): Promise<unknown>;
  /** `revision` is what a client that has just loaded the Secret holds. */
  run(fixture: Fixture, revision: string): Promise<ApiAnswer>;
  /** Whether the live Secret is as the operation leaves it, given how it was before. */
  isDone(live: ClusterObject | undefined, before: ClusterObject | undefined): boolean;
  /** History once the operation has succeeded in the end: the text under `key` by version. */
  history(live: ClusterObject | undefined): ReadonlyMap<number, string>;
}

const textOf = (secret: ClusterObject | undefined): string =>
  Buffer.from(secret?.data?.['key'] ?? '', 'base64').toString();
const versionOf = (secret: ClusterObject | undefined): number =>
  Number(secret?.metadata.annotations?.['service.io/version'] ?? '1');
const isNext = (live: ClusterObject | undefined, before: ClusterObject | undefined): boolean =>
  versionOf(live) === versionOf(before) + 1;

const WANTED = 'wanted';

export const CREATE: Operation = {
  name: 'create',
  calls: ['GET policy', 'POST a'],
  effect: 'POST a',
  success: 201,
  prepare: () => Promise.resolve(),
  run: ({ client, secrets }) => client.post(secrets.path(), { name: 'a', data: { key: WANTED } }),
  isDone: (live) => textOf(live) === WANTED && versionOf(live) === 1,
  history: () => new Map(),
};

/** With a history limit of 2, so that each write has a snapshot to prune. */
const atTheLimit = async ({ secrets }: Fixture): Promise<unknown> => secrets.createWithHistory('a', 2);

/** The two states before the live one. A write that had its effect unseen and is repeated archives its own result. */
const newestTwo =
  (textAt: (version: number, last: number) => string) =>
  (live: ClusterObject | undefined): ReadonlyMap<number, string> => {
    const last = versionOf(live);
    return new Map([last - 2, last - 1].map((version) => [version, textAt(version, last)]));
  };

export const UPDATE: Operation = {
  name: 'update',
  calls: ['GET a', 'GET policy', 'POST a.v3', 'DELETE a.v1', 'PUT a'],
  effect: 'PUT a',
  success: 200,
  prepare: atTheLimit,
  run: ({ client, secrets }, resourceVersion) =>
    client.put(secrets.path('a'), { resourceVersion, data: { key: WANTED } }),
  isDone: (live, before) => textOf(live) === WANTED && isNext(live, before),
  history: newestTwo((version) => (version <= 3 ? `value ${version}` : WANTED)),
};

export const RESTORE: Operation = {
  name: 'restore',
  calls: ['GET a', 'GET policy', 'GET a.v2', 'POST a.v3', 'DELETE a.v1', 'PUT a'],
  effect: 'PUT a',
  success: 200,
  prepare: atTheLimit,
  run: ({ client, secrets }, resourceVersion) =>
    client.post(secrets.path('a', '/restore'), { resourceVersion, version: 2 }),
  isDone: (live, before) => textOf(live) === 'value 2' && isNext(live, before),
  history: newestTwo((version) => (version <= 3 ? `value ${version}` : 'value 2')),
};

export const DELETE: Operation = {
  name: 'delete',
  calls: [
    ...['GET a', 'GET policy', 'LIST history'],
    ...['GET a', 'DELETE a.v1', 'GET a.v1', 'LIST history'],
    ...['GET a', 'DELETE a', 'GET a'],
  ],
  effect: 'DELETE a',
  success: 200,
  prepare: ({ secrets }) => secrets.createWithHistory('a', 1),
  run: ({ client, secrets }, revision) => client.delete(secrets.deletePath('a', revision)),
  isDone: (live) => live === undefined,
  history: () => new Map(),
};

/** The state of the live Secret stays, and is archived as v2; a request after a loss finds the Secret gone. */
export const ARCHIVE: Operation = {
  name: 'delete with archive',
  calls: ['GET a', 'GET policy', 'POST a.v2', 'PATCH a.v2', 'GET a', 'DELETE a', 'PATCH a.v2', 'GET a'],
  effect: 'DELETE a',
  success: 200,
  prepare: ({ secrets }) => secrets.createWithHistory('a', 1),
  run: ({ client, secrets }, revision) =>
    client.delete(secrets.deletePath('a', revision, '&keepHistory=true&archive=true')),
  isDone: (live) => live === undefined,
  history: () => new Map([1, 2].map((version) => [version, `value ${version}`])),
};

/** A delete whose Secret has no history, and an update that prunes none, are shorter walks of the same calls. */
export const OPERATIONS: readonly Operation[] = [CREATE, UPDATE, RESTORE, DELETE, ARCHIVE];

/** What someone else keeps beside the Secret in question, and what must never change. */
export const BYSTANDER = nativeSecret('bystander', { key: 'untouched' });
