import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthorizer, type Authorizer } from '../../../src/access/authorizer.ts';
import { claimsToBeHistory } from '../../../src/history/history.ts';
import { createCompressor } from '../../../src/lists/list-body.ts';
import type { CachedState, ListCache, LiveReason } from '../../../src/lists/list-cache.ts';
import { listItemOf, type ListItem } from '../../../src/lists/list-item.ts';
import type { ListOutcome } from '../../../src/lists/list-cache.ts';
import { createLists } from '../../../src/lists/lists.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, callLines, clusterWithLive, seedLive } from '../history/live-secret.ts';
import { createFixture, type Fixture } from '../secrets/fixture.ts';
import { codec } from '../../fakes/annotations.ts';
import { inScope } from '../../fakes/in-scope.ts';

let version = 0;

/** A cache that holds what the test gives it. */
function cacheOf(
  answer: () => readonly ListItem[] | LiveReason | 'memory',
): ListCache & { readonly notes: string[] } {
  const notes: string[] = [];
  const state = (): CachedState | LiveReason | 'memory' => {
    const given = answer();
    if (typeof given === 'string') return given;
    return { version: ++version, count: given.length, items: () => given, ageMs: 70 };
  };
  return {
    notes,
    state: () => Promise.resolve(state()),
    onChange: () => undefined,
    namespaces: () => [],
    size: () => 0,
    noteClusterRevision: () => undefined,
    startObservation: () => ({ sequence: 1, atMs: 0 }),
    noteRevision: () => notes.push('revision'),
    noteWritten: () => notes.push('write'),
    noteDeleted: () => notes.push('gone'),
    noteAbsent: () => notes.push('absent'),
    noteList: (namespace, { items }) => notes.push(`list of ${items.length} in ${namespace}`),
    markUncertain: () => notes.push('uncertain'),
  };
}

function itemsOf({ cluster }: Pick<Fixture, 'cluster'>): readonly ListItem[] {
  return cluster
    .all()
    .filter(({ namespace }) => namespace === 'team-a')
    .filter((secret) => !claimsToBeHistory(secret))
    .map((secret) => listItemOf(secret));
}

describe('a list from the cache', () => {
  it('reads only the policy from the cluster, and says how old it is', async () => {
    const sources: ListOutcome[] = [];
    const listCache = cacheOf(() => itemsOf(fixture));
    const fixture = createFixture({ listCache, onList: (from) => sources.push(from) });
    seedLive(fixture.cluster);
    const { from } = await fixture.lists.list(actor(), inScope('team-a'), { live: false }, deadline);
    expect(from).toEqual({ source: 'cache', ageMs: 70 });
    expect(callLines(fixture.cluster)).toEqual(['policies.read']);
    expect(sources).toEqual([from]);
  });

  it.each(['notSynced', 'silent', 'behind', 'uncertain', 'overBudget'] as const)(
    'is collected live when the cache says %s, and the cache receives what was seen',
    async (reason) => {
      const listCache = cacheOf(() => reason);
      const fixture = createFixture({ listCache });
      seedLive(fixture.cluster);
      const { from } = await fixture.lists.list(admin(), inScope('team-a'), { live: false }, deadline);
      expect(from).toEqual({ source: 'live', reason });
      expect(listCache.notes).toEqual(['list of 1 in team-a']);
    },
  );

  it('is not used when the client requests a live one, or there is none', async () => {
    const listCache = cacheOf(() => itemsOf(fixture));
    const fixture = createFixture({ listCache });
    seedLive(fixture.cluster);
    const live = await fixture.lists.list(admin(), inScope('team-a'), { live: true }, deadline);
    expect(live.from).toEqual({ source: 'live', reason: 'noCache' });
    expect(listCache.notes).toEqual(['list of 1 in team-a']);
    const without = await createFixture().lists.list(admin(), inScope('team-a'), { live: false }, deadline);
    expect(without.from).toEqual({ source: 'live', reason: 'disabled' });
  });

  const { live: one } = clusterWithLive();
  const tooMany = Array.from({ length: 5_001 }, (_, index) => listItemOf({ ...one, name: `s${index}` }));

  it.each([
    ['tooManyObjects', 'objects', tooMany],
    ['memory', 'memory', 'memory'],
  ] as const)(
    'is over budget at once, and nothing is collected, where the cache has %s',
    async (reason, budget, given) => {
      const outcomes: ListOutcome[] = [];
      const listCache = cacheOf(() => given);
      const fixture = createFixture({ listCache, onList: (outcome) => outcomes.push(outcome) });
      for (const live of [false, true]) {
        await expect(
          fixture.lists.list(actor(), inScope('team-a'), { live }, deadline),
        ).rejects.toMatchObject({ code: 'listOverBudget', reason: `listOverBudget:${budget}` });
      }
      expect(fixture.cluster.calls).toEqual([]);
      const refused = { source: 'refused', reason };
      expect(outcomes).toEqual([refused, refused]);
    },
  );

  it('leaves a namespace over the bytes to the live collection', async () => {
    const fixture = createFixture({ listCache: cacheOf(() => given) });
    const [item] = [seedLive(fixture.cluster)].map((secret) => listItemOf(secret));
    if (item === undefined) throw new Error('one item');
    let given = [{ ...item, bytes: 32 * 1024 * 1024 }];
    const from = async () =>
      (await fixture.lists.list(admin(), inScope('team-a'), { live: false }, deadline)).from;
    expect(await from()).toEqual({ source: 'live', reason: 'overBudget' });
    given = [{ ...item, bytes: 32 * 1024 * 1024 - 2 }];
    expect(await from()).toMatchObject({ source: 'cache' });
  });

  it('counts why it is live, also when its collection fails', async () => {
    const outcomes: ListOutcome[] = [];
    const listCache = cacheOf(() => 'overBudget');
    const fixture = createFixture({ listCache, onList: (outcome) => outcomes.push(outcome) });
    fixture.cluster.fail({ method: 'secrets.listPage' }, 'unavailable');
    expect(await codeOf(fixture.lists.list(admin(), inScope('team-a'), { live: false }, deadline))).toBe(
      'listFailed',
    );
    expect(outcomes).toEqual([{ source: 'live', reason: 'overBudget' }]);
  });

  it('is refused without a usable policy, as a live one is', async () => {
    const listCache = cacheOf(() => []);
    const { cluster, lists } = createFixture({ listCache });
    cluster.setPolicy('team-a', { allowedGroups: 'broken' });
    const listed = lists.list(actor(), inScope('team-a'), { live: false }, deadline);
    expect(await codeOf(listed)).toBe('policyUnavailable');
  });
});

const principal = fc.constantFrom('team-a', 'team-b', 'X@Example.com', 'dev@example.com', ' , ', '');
const principals = fc.array(principal, { maxLength: 3 }).map((list) => list.join(','));
const text = fc.string({ unit: 'grapheme', maxLength: 6 });
const annotations = fc.record(
  {
    'service.io/allowed-groups': principals,
    'service.io/allowed-users': principals,
    'service.io/managed-by': fc.constantFrom('service', 'helm'),
    'service.io/description': text,
    'service.io/version': fc.constantFrom('0', '7', 'x', ''),
    'service.io/kind': fc.constantFrom('live', 'live', 'live', 'history'),
    'service.io/last-modified-by': text,
  },
  { requiredKeys: [] },
);
const data = fc.dictionary(fc.constantFrom('a', '__proto__', 'toString', 'tls.crt'), fc.uint8Array());
const secrets = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-z0-9]{1,3}(\.[a-z]-?[a-z])?$/), annotations, data }),
  {
    selector: ({ name }) => name,
    maxLength: 12,
  },
);
const policy = fc.option(
  fc.record({
    allowedGroups: fc.constantFrom('[]', '["team-a"]', '["team-b"]', 'broken'),
    allowedUsers: fc.constantFrom('[]', '["x@example.com"]', '[""]'),
  }),
);
const someone = fc.constantFrom(
  admin(),
  actor(),
  actor({ email: 'x@example.com', groups: [] }),
  actor({ email: 'y@example.com', groups: ['team-b', 'team-a'] }),
);

it('the answer from the cache is the live answer, byte for byte, for any contents and any user', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(secrets, policy, someone, fc.boolean(), async (objects, rules, who, managedOnly) => {
      const listCache = cacheOf(() => itemsOf(fixture));
      const fixture = createFixture({ listCache, managedOnly });
      for (const object of objects) fixture.cluster.seed({ namespace: 'team-a', ...object });
      if (rules !== null) fixture.cluster.setPolicy('team-a', rules);
      const list = async (live: boolean) => {
        const answer = fixture.lists.list(who, inScope('team-a'), { live }, deadline);
        return answer.then(({ body }) => body.plain.toString()).catch(() => codeOf(answer));
      };
      const cached = await list(false);
      expect(cached).toBe(await list(true));
      if (cached.startsWith('{')) compared++;
    }),
    { numRuns: 3_000 },
  );
  expect(compared).toBeGreaterThan(1_000);
}, 60_000);

describe('the policy of a list', () => {
  it.each([
    ['a list from the cache', true],
    ['a live list', false],
  ])('is to be as new as the newest Secret of %s', async (_what, isCached) => {
    const { cluster } = createFixture();
    const { policies, namespaces, secrets: store } = cluster;
    const requested: unknown[] = [];
    const authorizer: Authorizer = {
      ...createAuthorizer({ policies, namespaces, scope: scopeOf() }),
      forList: (_actor, _namespace, listed) => {
        requested.push(listed);
        return Promise.resolve({ canCreate: true, key: 'anyone', isVisible: () => true });
      },
    };
    const seeded = seedLive(cluster);
    const { resourceVersion } = seeded;
    const newest = { ...listItemOf(seeded), resourceVersion: '4711' };
    const listCache = isCached ? cacheOf(() => [newest]) : undefined;
    const ignore = () => undefined;
    const lists = createLists({
      store,
      codec,
      authorizer,
      managedOnly: false,
      listCache,
      compress: createCompressor(),
      tokenKey: new Uint8Array(32),
      clock: systemClock,
      onList: ignore,
      countRefusal: ignore,
    });
    await lists.list(actor(), inScope('team-a'), { live: false }, deadline);
    expect(requested).toEqual([{ live: false, newest: isCached ? '4711' : resourceVersion }]);
  });
});
