import { describe, expect, it } from 'vitest';
import { ServiceError, type ErrorCode } from '../../../src/errors/service-error.ts';
import { COLLECTION_LIMITS, collectSecrets, type Collection } from '../../../src/kube/collect.ts';
import type { Page, SelectedPage } from '../../../src/kube/page.ts';
import type { SnapshotStore } from '../../../src/history/ports.ts';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { parsed } from '../../fakes/annotations.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { deadline } from '../history/live-secret.ts';

const MIB = 1024 * 1024;

function secret(name: string, overrides: Partial<StoredSecret> = {}): StoredSecret {
  return parsed({
    namespace: 'team-a',
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    type: 'Opaque',
    immutable: false,
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: undefined,
    controllerOwner: undefined,
    labels: new Map(),
    annotations: new Map(),
    data: new Map([['key', Uint8Array.of(1)]]),
    native: { metadata: { name } },
    ...overrides,
  });
}

const secrets = (from: number, to: number) =>
  Array.from({ length: to - from }, (_item, index) => secret(`s${from + index}`));

type ScriptedPage = Partial<Page<StoredSecret>> | ErrorCode;

/** A store whose pages are written down; the continue token of page n is `n`. Records the requests. */
function scripted(pages: readonly ScriptedPage[]) {
  const requested: SelectedPage[] = [];
  const listPage = (_namespace: string, request: SelectedPage): Promise<Page<StoredSecret>> => {
    requested.push(request);
    const page = pages[requested.length - 1];
    if (page === undefined) throw new Error('more pages were requested than the test has');
    if (typeof page === 'string') return Promise.reject(new ServiceError(page, 'The cluster failed'));
    const last = requested.length === pages.length;
    return Promise.resolve({
      items: [],
      resourceVersion: '100',
      continueToken: last ? undefined : String(requested.length),
      bytes: 10,
      ...page,
    });
  };
  return { requested, collect: () => collect({ listPage }) };
}

const collect = (store: Pick<SnapshotStore, 'listPage'>, labelSelector = 'a!=b') =>
  collectSecrets({
    listPage: (page) => store.listPage('team-a', { labelSelector, ...page }, deadline),
    keep: (one) => one,
  }).then(itemsOf);

const itemsOf = ({ items }: Collection<StoredSecret>) => items;
const nameOf = ({ name }: StoredSecret) => name;

describe('a collection', () => {
  it('of one page is one call', async () => {
    const { requested, collect } = scripted([{ items: secrets(0, 3) }]);
    expect((await collect()).map(nameOf)).toEqual(['s0', 's1', 's2']);
    expect(requested).toEqual([{ labelSelector: 'a!=b', limit: 500, maxBytes: 2 * MIB }]);
  });

  it('follows all pages with their tokens', async () => {
    const { requested, collect } = scripted([
      { items: secrets(0, 2), bytes: MIB },
      { items: secrets(2, 4), bytes: 2 * MIB },
      { items: secrets(4, 5) },
    ]);
    expect((await collect()).map(nameOf)).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect(requested.map(({ continueToken }) => continueToken)).toEqual([undefined, '1', '2']);
    expect(new Set(requested.map(({ labelSelector }) => labelSelector))).toEqual(new Set(['a!=b']));
  });

  it('of nothing is empty', async () => {
    expect(await scripted([{}]).collect()).toEqual([]);
  });

  it('goes on after an empty page', async () => {
    const { collect } = scripted([{}, {}, { items: secrets(0, 1) }]);
    expect(await collect()).toHaveLength(1);
  });

  it('of many pages sees one state, whatever happens meanwhile', async () => {
    const cluster = createFakeCluster();
    for (let index = 0; index < 1_200; index++) cluster.seed({ namespace: 'team-a', name: `s${index}` });
    cluster.on({ method: 'secrets.listPage', skip: 1 }, () => {
      cluster.remove({ namespace: 'team-a', name: 's999' });
      cluster.seed({ namespace: 'team-a', name: 'zzz' });
    });
    const collected = await collect(cluster.secrets, '');
    expect(collected).toHaveLength(1_200);
    expect(collected.some(({ name }) => name === 's999')).toBe(true);
    expect(cluster.calls).toHaveLength(3);
  });
});

describe('the budget of objects', () => {
  it('allows exactly 5,000', async () => {
    const { collect } = scripted([{ items: secrets(0, 4_999) }, { items: secrets(4_999, 5_000) }]);
    expect(await collect()).toHaveLength(COLLECTION_LIMITS.objects);
  });

  it('does not allow 5,001, on whatever page', async () => {
    const oneMore = [
      [{ items: secrets(0, 5_001) }],
      [{ items: secrets(0, 5_000) }, { items: secrets(5_000, 5_001) }],
    ];
    for (const pages of oneMore) {
      await expect(scripted(pages).collect()).rejects.toMatchObject({
        code: 'listOverBudget',
        reason: 'listOverBudget:objects',
      });
    }
  });

  it('counts an identical duplicate once', async () => {
    const { collect } = scripted([{ items: secrets(0, 5_000) }, { items: secrets(0, 5_000) }]);
    expect(await collect()).toHaveLength(5_000);
  });

  it('sends no more requests once it is broken', async () => {
    const { requested, collect } = scripted([{ items: secrets(0, 5_001) }, {}]);
    await expect(collect()).rejects.toMatchObject({ code: 'listOverBudget' });
    expect(requested).toHaveLength(1);
  });
});

describe('the budget of bytes', () => {
  it('allows exactly 32 MiB', async () => {
    const { collect } = scripted([{ bytes: 16 * MIB }, { bytes: 16 * MIB, items: secrets(0, 1) }]);
    expect(await collect()).toHaveLength(1);
  });

  it('leaves nothing for a page after that', async () => {
    const { requested, collect } = scripted([{ bytes: 32 * MIB }, 'responseTooLarge']);
    await expect(collect()).rejects.toMatchObject({ code: 'listOverBudget', reason: 'listOverBudget:bytes' });
    expect(requested[1]?.maxBytes).toBe(0);
  });

  it('passes on what is left of it', async () => {
    const { requested, collect } = scripted([{ bytes: 30.5 * MIB }, { items: secrets(0, 1) }]);
    await collect();
    expect(requested.map(({ maxBytes }) => maxBytes / MIB)).toEqual([2, 1.5]);
  });

  it('is broken by a single object that was too large to be read on', async () => {
    const { requested, collect } = scripted(Array.from({ length: 4 }, () => 'responseTooLarge' as const));
    const sizes = () => requested.map(({ limit, maxBytes }) => [limit, maxBytes / MIB]);
    await expect(collect()).rejects.toMatchObject({ code: 'listOverBudget', reason: 'listOverBudget:bytes' });
    expect(sizes()).toEqual([
      [500, 2],
      [62, 2],
      [7, 2],
      [1, 32],
    ]);
  });
});

describe('the budget of pages', () => {
  it('allows exactly 100', async () => {
    const { requested, collect } = scripted(
      Array.from({ length: 100 }, (_item, index) => ({ items: secrets(index, index + 1) })),
    );
    expect(await collect()).toHaveLength(100);
    expect(requested).toHaveLength(COLLECTION_LIMITS.pages);
  });

  it('does not request page 101', async () => {
    const { requested, collect } = scripted(Array.from({ length: 101 }, () => ({})));
    await expect(collect()).rejects.toMatchObject({ code: 'listOverBudget', reason: 'listOverBudget:pages' });
    expect(requested).toHaveLength(100);
  });
});

describe('an expired continue token', () => {
  it('starts the collection over once, from the first page and with fresh budgets', async () => {
    const { requested, collect } = scripted([
      { items: [secret('old')], bytes: 30 * MIB, resourceVersion: '100' },
      'expired',
      { items: secrets(0, 1), resourceVersion: '200' },
      { items: secrets(1, 2), resourceVersion: '200' },
    ]);
    expect((await collect()).map(nameOf)).toEqual(['s0', 's1']);
    expect(requested.map(({ continueToken }) => continueToken)).toEqual([undefined, '1', undefined, '3']);
    expect(requested[2]).toMatchObject({ limit: 500, maxBytes: 2 * MIB });
  });

  it('twice fails the collection', async () => {
    const { requested, collect } = scripted([{}, 'expired', {}, 'expired']);
    await expect(collect()).rejects.toMatchObject({ code: 'listFailed', reason: 'expired' });
    expect(requested).toHaveLength(4);
  });

  it('is survived with the pages of a cluster, too', async () => {
    const cluster = createFakeCluster();
    for (let index = 0; index < 600; index++) cluster.seed({ namespace: 'team-a', name: `s${index}` });
    cluster.on({ method: 'secrets.listPage', skip: 1 }, () => {
      cluster.expireContinueTokens();
    });
    expect(await collect(cluster.secrets, '')).toHaveLength(600);
    expect(cluster.calls).toHaveLength(4);
  });
});

describe('an inconsistent collection', () => {
  it('has pages of two revisions', async () => {
    const { collect } = scripted([{ resourceVersion: '100' }, { resourceVersion: '101' }]);
    await expect(collect()).rejects.toMatchObject({
      code: 'listInconsistent',
      reason: 'listRevisionChanged',
    });
  });

  it.each<[what: string, other: Partial<StoredSecret>]>([
    ['another revision', { resourceVersion: '2' }],
    ['another UID', { uid: 'other' }],
    ['other values', { data: new Map([['key', Uint8Array.of(2)]]) }],
    ['another annotation', { annotations: new Map([['a', '1']]) }],
    ['another native field', { native: { metadata: { name: 'x', labels: {} } } }],
  ])('has one name twice with %s', async (_what, other) => {
    const { collect } = scripted([{ items: [secret('x')] }, { items: [secret('x', other)] }]);
    await expect(collect()).rejects.toMatchObject({
      code: 'listInconsistent',
      reason: 'listConflictingDuplicate',
    });
  });

  it('does not advance', async () => {
    const { requested, collect } = scripted([{ continueToken: 'same' }, { continueToken: 'same' }, {}]);
    await expect(collect()).rejects.toMatchObject({ code: 'listInconsistent', reason: 'listDidNotAdvance' });
    expect(requested).toHaveLength(2);
  });

  it('is not one with identical duplicates, which appear once', async () => {
    const { collect } = scripted([{ items: [secret('x'), secret('x')] }, { items: [secret('x')] }]);
    expect((await collect()).map(nameOf)).toEqual(['x']);
  });

  it('is not one with two of the same UID under two names', async () => {
    const { collect } = scripted([{ items: [secret('x'), secret('y', { uid: 'uid-x' })] }]);
    expect(await collect()).toHaveLength(2);
  });
});

describe('a failed collection', () => {
  it.each(['unavailable', 'rbacForbidden', 'uncertain', 'conflict', 'notFound', 'rejected'] as const)(
    'says so after %s, on whatever page, and returns nothing',
    async (code) => {
      for (const pages of [[code], [{ items: secrets(0, 3) }, code]]) {
        await expect(scripted(pages).collect()).rejects.toMatchObject({
          code: 'listFailed',
          message: 'The list of Secrets could not be collected',
          reason: code,
        });
      }
    },
  );

  it('passes on how long to wait and why', async () => {
    const listPage = () =>
      Promise.reject(new ServiceError('unavailable', 'x', { retryAfterSeconds: 7, reason: 'overloaded' }));
    await expect(collect({ listPage })).rejects.toMatchObject({
      code: 'listFailed',
      retryAfterSeconds: 7,
      reason: 'overloaded',
    });
  });

  it('does not hide a defect', async () => {
    const listPage = () => Promise.reject(new TypeError('a defect'));
    await expect(collect({ listPage })).rejects.toThrow(TypeError);
  });
});
