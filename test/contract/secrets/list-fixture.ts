import type { ApiClient } from '../../harness/api-client.ts';
import { listOf, type ListJson } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { openNamespaceFixture, type NamespaceFixture } from './namespace-fixture.ts';

export interface ListFixture {
  readonly here: NamespaceFixture;
  readonly seed: (name: string, annotations?: object, labels?: object) => Promise<ClusterObject>;
  readonly list: (client: ApiClient) => Promise<ListJson>;
  readonly names: (client: ApiClient) => Promise<readonly string[]>;
}

/** Lists of a namespace that each test has to itself. */
export function openListFixture(): ListFixture {
  const here = openNamespaceFixture('test');
  const list: ListFixture['list'] = async (client) => listOf(await listBothWays(client, here.namespace));
  return {
    here,
    seed: (name, annotations = {}, labels = {}) =>
      here.stack.kube.createSecret(
        here.namespace,
        nativeSecret(name, { key: 'planted-value' }, { metadata: { annotations, labels } }),
      ),
    list,
    names: async (client) => (await list(client)).secrets.map(({ name }) => name),
  };
}
