import { describe, expect, it } from 'vitest';
import { createVersionLists } from '../../../src/secrets/versions.ts';
import { clusterWithLive, deadline, withEntries } from '../history/live-secret.ts';

describe('lists of versions that are requested at the same time', () => {
  it('are shared by those who have read the same revision, and by no one else', async () => {
    const { cluster, live } = clusterWithLive();
    const begun = Promise.withResolvers<undefined>();
    let collected = 0;
    const lists = createVersionLists({
      history: {
        list: async () => {
          collected++;
          await begun.promise;
          return { snapshots: [], changes: undefined };
        },
      },
    });
    const updated = cluster.touch(live, {
      annotations: withEntries(live.annotations, { 'service.io/version': '4' }),
    });
    const requested = [live, live, updated, live, updated].map((secret) => lists.join(secret, deadline));
    begun.resolve(undefined);
    const answers = await Promise.all(requested);
    expect(answers.map(({ version }) => version)).toEqual([3, 3, 4, 3, 4]);
    expect(collected).toBe(4);
  });
});
