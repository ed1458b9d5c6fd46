import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import type { LiveReason } from '../../../src/lists/list-cache.ts';
import { confirmCache, type CachedLists } from '../../../src/lists/fresh-view.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';

const deadline = unhurriedCall();

/** What is done to confirm the cache of a namespace of so many Secrets. */
async function confirmed(reason: LiveReason, size: number, fail?: Error): Promise<readonly string[]> {
  const calls: string[] = [];
  const done = <Result>(what: string, result: Result): Promise<Result> => {
    calls.push(what);
    return fail === undefined ? Promise.resolve(result) : Promise.reject(fail);
  };
  const page = { items: [], resourceVersion: '60', continueToken: undefined, bytes: 1 };
  const dependencies = {
    codec: { liveSelector: 'selector' },
    store: {
      listMetadata: (_namespace: string, { limit }: { limit: number }) => done(`list ${limit}`, page),
    },
    liveLists: { join: (namespace: string) => done(`live list of ${namespace}`, undefined) },
    listCache: {
      size: () => size,
      startObservation: () => ({ sequence: 7, atMs: 0 }),
      noteClusterRevision: (namespace: string, revision: string, since: object) =>
        void calls.push(`${namespace} at ${revision} since ${JSON.stringify(since)}`),
    },
  } as unknown as CachedLists;
  await confirmCache(dependencies, 'ns', reason, deadline);
  return calls;
}

describe('confirming a cache that is not fresh', () => {
  it('compares it with a live list, where there may be one', async () => {
    expect(await confirmed('uncertain', 5_000)).toEqual(['live list of ns']);
    expect(await confirmed('behind', 0)).toEqual(['live list of ns']);
  });

  it('learns the revision that it has to reach, where a list would be over the budget', async () => {
    for (const reason of ['uncertain', 'behind'] as const)
      expect(await confirmed(reason, 5_001)).toEqual(['list 1', 'ns at 60 since {"sequence":7,"atMs":0}']);
  });

  it('does nothing about reasons that only time can remove', async () => {
    for (const reason of ['notSynced', 'silent', 'disabled'] as const)
      expect(await confirmed(reason, 1)).toEqual([]);
  });

  it('leaves it as it is when the cluster fails, and hides no defect', async () => {
    const unavailable = new ServiceError('unavailable', 'no');
    expect(await confirmed('uncertain', 5_001, unavailable)).toEqual(['list 1']);
    await expect(confirmed('uncertain', 1, new TypeError('a defect'))).rejects.toThrow('a defect');
  });
});
