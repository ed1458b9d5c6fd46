import type { HistoryIndex } from '../../../src/history/history.ts';
import type { DeletionRequest } from '../../../src/kube/managed-metadata.ts';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { codec } from '../../fakes/annotations.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { admin } from '../access/users.ts';
import { deadline, REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture } from './fixture.ts';

export const namespace = inScope(REF.namespace);

/** The use cases, with finals that deletions have left. */
export function deletedFixture(historyIndex?: HistoryIndex | 'none') {
  const one = createFixture(historyIndex === undefined ? {} : { historyIndex });
  const { cluster, service } = one;
  const page = (limit?: number, token?: string, who = admin(), place = namespace) =>
    service.deleted.list(who, place, { limit, token }, deadline);
  const record: DeletionRequest = {
    by: 'dev@example.com',
    at: '2026-03-04T05:06:07.089Z',
    keys: 'user,password=',
  };
  /** The final snapshot of a version, as a deletion leaves it. */
  const seedFinal = (
    live: StoredSecret,
    version: number,
    more: Partial<DeletionRequest> = {},
  ): StoredSecret => {
    const snapshot = seedSnapshot(cluster, live, version);
    const { labels, annotations } = codec.final(live, { ...record, ...more });
    const all = [...snapshot.annotations, ...annotations, ...codec.deletionAccepted];
    return cluster.touch(snapshot, {
      labels: textsOf([...snapshot.labels, ...labels]),
      annotations: textsOf(all),
    });
  };
  /** Deleted Secrets, the last one deleted last. */
  const seedDeleted = (count: number, more: Partial<DeletionRequest> = {}) => {
    for (let index = 0; index < count; index++) {
      const live = seedLive(cluster, { name: `db-${index}` });
      seedFinal(live, 1, { at: `2026-03-04T05:06:${10 + index}.000Z`, ...more });
      cluster.remove(live);
    }
  };
  const listed = async () => (await page()).deleted.map(({ name }) => name);
  return { ...one, page, listed, seedFinal, seedDeleted };
}

function textsOf(entries: readonly (readonly [string, string | undefined])[]): ReadonlyMap<string, string> {
  return new Map(entries.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
}
