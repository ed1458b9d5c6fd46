import { describe, expect, it } from 'vitest';
import { FREE_RUN, findFreeVersion } from '../../../../src/history/snapshot/free-version.ts';
import type { Page, SelectedPage } from '../../../../src/kube/page.ts';
import type { SecretMetadata, StoredSecret } from '../../../../src/kube/secret.ts';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { contextOf, deadline, clusterWithLive, names, seedSnapshot, withEntries } from '../live-secret.ts';
import { parsed } from '../../../fakes/annotations.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const { live } = clusterWithLive();

function metadata(name: string, annotations: Readonly<Record<string, string>> = {}): SecretMetadata {
  return parsed({
    namespace: live.namespace,
    name,
    uid: `uid of ${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: undefined,
    labels: new Map(),
    annotations: new Map(Object.entries(annotations)),
  });
}

const planted = (version: number, of: StoredSecret = live) =>
  metadata(snapshotName(of.name, version, of.uid));
const archived = (version: number) =>
  metadata(snapshotName(live.name, version, live.uid), { [names.historyUid]: live.uid });

/** A namespace that answers page after page, as many objects as the request allows. */
function listing(
  objects: readonly SecretMetadata[],
  refuse: (page: SelectedPage, at: number) => string = () => '',
) {
  const requests: SelectedPage[] = [];
  const listMetadata = (_namespace: string, page: SelectedPage): Promise<Page<SecretMetadata>> => {
    requests.push(page);
    const code = refuse(page, requests.length);
    if (code === 'expired' || code === 'responseTooLarge') {
      return Promise.reject(new ServiceError(code, 'refused'));
    }
    const from = Number(page.continueToken ?? 0);
    const next = from + page.limit;
    return Promise.resolve({
      items: objects.slice(from, next),
      resourceVersion: '9',
      continueToken: next < objects.length ? String(next) : undefined,
      bytes: 1,
    });
  };
  return { requests, store: { listMetadata } };
}

const find = (objects: readonly SecretMetadata[], counter = 1) =>
  findFreeVersion(contextOf(listing(objects).store), live, counter, deadline);

describe('the number for a reviewed state', () => {
  it('is the live counter when nothing is in its way', async () => {
    expect(await find([], 3)).toBe(3);
    expect(await find([archived(1)], 3)).toBe(3);
  });

  it('is above every archived number, also of a snapshot that has lost its labels', async () => {
    expect(await find([archived(1), archived(7)], 3)).toBe(8);
    expect(await find([archived(1), archived(7 + FREE_RUN)], 3)).toBe(8 + FREE_RUN);
  });

  it('counts a snapshot that has lost its annotations and kept its label', async () => {
    const { cluster, live: stored } = clusterWithLive();
    // So far up that it would not be stepped over as a name that is merely taken.
    seedSnapshot(cluster, stored, 9 + FREE_RUN, () => ({ annotations: new Map() }));
    expect(await findFreeVersion(contextOf(cluster.secrets), stored, 1, deadline)).toBe(10 + FREE_RUN);
  });

  it('steps over taken names, and over the gaps between them', async () => {
    expect(await find([archived(1), planted(2), planted(3), planted(5), planted(2_000)])).toBe(2_001);
  });

  it('stays below names that are planted where numbers end', async () => {
    expect(await find([archived(3), planted(MAX - 1), planted(MAX)], 2)).toBe(4);
    expect(await find([archived(3), planted(4 + FREE_RUN)], 2)).toBe(4);
    expect(await find([archived(3), planted(3 + FREE_RUN)], 2)).toBe(4 + FREE_RUN);
  });

  it('does not follow a live counter to the end of the numbers', async () => {
    for (const counter of [MAX, MAX - 1, MAX - FREE_RUN + 1])
      expect(await find([archived(3)], counter)).toBe(4);
    expect(await find([archived(3)], MAX - FREE_RUN)).toBe(MAX - FREE_RUN);
  });

  it('is the first free one with a successor where no long run is left', async () => {
    expect(await find([archived(MAX - 10), planted(MAX - 8)])).toBe(MAX - 7);
  });

  it('does not exist when the archive has reached the end', async () => {
    expect(await codeOf(find([archived(MAX)]))).toBe('snapshotCollision');
    expect(await codeOf(find([archived(MAX - 1)]))).toBe('snapshotCollision');
  });

  it('heeds only names that a snapshot of this very Secret would have', async () => {
    const other = { ...live, uid: 'another uid' };
    const names = [
      snapshotName('other', 4, live.uid),
      snapshotName(live.name, 4, live.uid).replace('.v4.', '.v04.'),
      snapshotName(live.name, 4, live.uid).replace('.v4.', '.v90071992547409920.'),
      `${snapshotName(live.name, 4, live.uid)}.x`,
    ];
    expect(await find([planted(4, other), ...names.map((name) => metadata(name))], 4)).toBe(4);
  });

  it('is found in a namespace of more objects than a list may have', async () => {
    const many = Array.from({ length: 12_000 }, (_one, index) => metadata(`secret-${index}`));
    const { requests, store } = listing([...many, archived(5)]);
    expect(await findFreeVersion(contextOf(store), live, 1, deadline)).toBe(6);
    expect(requests).toHaveLength(25);
    expect(requests.every(({ labelSelector, limit }) => labelSelector === '' && limit === 500)).toBe(true);
  });

  it('requests smaller pages where one is too large, from the beginning', async () => {
    const many = Array.from({ length: 600 }, (_one, index) => metadata(`secret-${index}`));
    const tooLarge = ({ limit }: SelectedPage) => (limit > 7 ? 'responseTooLarge' : '');
    const { requests, store } = listing([...many, archived(5)], tooLarge);
    expect(await findFreeVersion(contextOf(store), live, 1, deadline)).toBe(6);
    expect(requests.slice(0, 3).map(({ limit, continueToken }) => [limit, continueToken])).toEqual([
      [500, undefined],
      [62, undefined],
      [7, undefined],
    ]);
    const never = listing(many, () => 'responseTooLarge');
    expect(await codeOf(findFreeVersion(contextOf(never.store), live, 1, deadline))).toBe(
      'historyUnavailable',
    );
    expect(never.requests.map(({ limit }) => limit)).toEqual([500, 62, 7, 1]);
  });

  it('starts over when the list expires, but not for ever', async () => {
    const many = Array.from({ length: 600 }, (_one, index) => metadata(`secret-${index}`));
    const once = listing([...many, archived(5)], (_page, at) => (at === 2 ? 'expired' : ''));
    expect(await findFreeVersion(contextOf(once.store), live, 1, deadline)).toBe(6);
    const always = listing(many, ({ continueToken }) => (continueToken === undefined ? '' : 'expired'));
    expect(await codeOf(findFreeVersion(contextOf(always.store), live, 1, deadline))).toBe(
      'historyUnavailable',
    );
    expect(always.requests).toHaveLength(4);
  });

  it('is not looked for in a list without end', async () => {
    const endless = Array.from({ length: 600 }, () => planted(2));
    const { requests, store } = listing(endless);
    const listMetadata = async (namespace: string, page: SelectedPage) => ({
      ...(await store.listMetadata(namespace, { ...page, limit: 1 })),
      continueToken: page.continueToken === '1' ? '2' : '1',
    });
    expect(await codeOf(findFreeVersion(contextOf({ listMetadata }), live, 1, deadline))).toBe(
      'historyUnavailable',
    );
    expect(requests).toHaveLength(1_000);
  });

  it('is not looked for in pages of different revisions', async () => {
    const many = Array.from({ length: 600 }, (_one, index) => metadata(`secret-${index}`));
    const { store } = listing(many);
    const listMetadata = async (namespace: string, page: SelectedPage) => ({
      ...(await store.listMetadata(namespace, page)),
      resourceVersion: page.continueToken ?? '9',
    });
    await expect(findFreeVersion(contextOf({ listMetadata }), live, 1, deadline)).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'historyNotListed:listRevisionChanged',
    });
  });

  it('heeds an annotation of another UID as that of a foreign object', async () => {
    const { cluster, live: stored } = clusterWithLive();
    seedSnapshot(cluster, stored, MAX, ({ annotations }) => ({
      labels: new Map(),
      annotations: withEntries(annotations, { [names.historyUid]: 'another' }),
    }));
    expect(await findFreeVersion(contextOf(cluster.secrets), stored, 3, deadline)).toBe(3);
  });
});
