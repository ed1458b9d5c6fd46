import { expect, it } from 'vitest';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { createHistory, type HistoryIndex } from '../../../src/history/history.ts';
import { toIndexed, type IndexedHistory } from '../../../src/history/snapshot/indexed-secret.ts';
import { snapshotDraft } from '../../../src/history/snapshot/snapshot.ts';
import { present } from '../../../src/kube/annotation-values.ts';
import type { SecretMetadata } from '../../../src/kube/secret.ts';
import { createDeletedPages } from '../../../src/secrets/deleted-secrets.ts';
import type { SecretsDependencies } from '../../../src/secrets/ports.ts';
import { createSeal } from '../../../src/secrets/seal.ts';
import { codec } from '../../fakes/annotations.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { leastLongestTurnOf } from '../../harness/longest-turn.ts';
import { actor } from '../access/users.ts';
import { clusterWithLive, deadline, REF, withEntries } from '../history/live-secret.ts';

const COUNT = 20_000;
/** The longest turn of the event loop. */
const TURN_MS = 60;
const RULES = Array.from({ length: 20 }, (_, index) => `${index}@x.io`).join(',');

/** Final snapshots, every other one of a Secret that someone else manages, in another order than that of their deletions. */
function manyFinals(): readonly SecretMetadata[] {
  const { live } = clusterWithLive();
  return Array.from({ length: COUNT }, (_, index) => {
    const annotations = withEntries(live.annotations, {
      'service.io/allowed-users': RULES,
      'service.io/allowed-groups': index % 2 === 0 ? 'team-a' : 'team-b',
    });
    const one = { ...live, name: `db-${index}`, uid: `u-${index}`, annotations };
    const draft = snapshotDraft(one, 10, codec);
    const at = new Date(Date.UTC(2026, 0) + ((index * 7_919) % COUNT) * 1_000).toISOString();
    const final = codec.final(one, { by: 'dev@example.com', at, keys: 'user,password=' });
    const texts = {
      labels: present([...draft.labels, ...final.labels]),
      annotations: present([...draft.annotations, ...final.annotations, ...codec.deletionAccepted]),
    };
    const { creationTimestamp, deletionTimestamp } = live;
    const stored = { namespace: live.namespace, name: draft.name, uid: `s-${index}`, resourceVersion: '9' };
    return { ...stored, creationTimestamp, deletionTimestamp, ...texts, managed: codec.parse(texts) };
  });
}

/** Pages over them. To list them takes no turn of its own. */
function manyDeleted() {
  const finals = manyFinals();
  const { policies, namespaces } = createFakeCluster();
  const dependencies = {
    history: createHistory({ store: storeOf(finals), codec, limit: 10, index: indexOf(finals) }),
    authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(undefined) }),
    tokenSeal: createSeal(new Uint8Array(32)),
    orphanTtlMs: undefined,
  } as unknown as SecretsDependencies;
  return createDeletedPages(dependencies);
}

function storeOf(finals: readonly SecretMetadata[]) {
  const listMetadata: SecretsDependencies['store']['listMetadata'] = (_namespace, page) => {
    const from = Number(page.continueToken ?? 0);
    const next = from + page.limit;
    const continueToken = next < finals.length ? String(next) : undefined;
    const answer = { items: finals.slice(from, next), resourceVersion: '9', continueToken, bytes: 1 };
    return new Promise((resolve) => setImmediate(resolve, answer));
  };
  return { listMetadata } as SecretsDependencies['store'];
}

/** A watch with nine older snapshots of each. */
function indexOf(finals: readonly SecretMetadata[]): HistoryIndex {
  const history = finals.map(toIndexed).filter((object) => object.kind === 'history');
  const byUid = new Map(history.map((final) => [final.claimedUid, [...OLDER.map(olderThan(final)), final]]));
  const known = { historyOf: (uid: string) => byUid.get(uid) ?? [], uidOf: () => undefined };
  return { at: () => Promise.resolve(known) };
}

const OLDER = Array.from({ length: 9 }, (_, index) => index);

function olderThan(final: IndexedHistory) {
  return (index: number): IndexedHistory => {
    if (typeof final.parsed === 'string') throw new Error('the final snapshot is consistent');
    const parsed = { ...final.parsed, version: index, sourceResourceVersion: String(index), isFinal: false };
    return { ...final, uid: `${final.uid}-${index}`, parsed };
  };
}

it('20,000 deleted Secrets are listed in turns of a few milliseconds, in their order', async () => {
  const page = manyDeleted();
  const list = (limit?: number) =>
    page(actor(), inScope(REF.namespace), { limit, token: undefined }, deadline);
  expect((await list(3)).deleted.map(({ name }) => name)).toEqual(['db-4642', 'db-9284', 'db-13926']);
  const listed = async () => {
    expect((await list()).deleted).toHaveLength(COUNT / 2);
  };
  expect(await leastLongestTurnOf(listed)).toBeLessThan(TURN_MS);
});
