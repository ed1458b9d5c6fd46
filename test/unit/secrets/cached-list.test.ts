import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthorizer, type Authorizer } from '../../../src/access/authorizer.ts';
import { createListAnswers } from '../../../src/secrets/list-answers.ts';
import { createCompressor } from '../../../src/secrets/list-body.ts';
import type {
  CachedNamespace,
  KnownOverBudget,
  ListCache,
  LiveReason,
} from '../../../src/secrets/list-cache.ts';
import { claimsToBeHistory } from '../../../src/history/history.ts';
import { byName, listItemOf, type ListItem } from '../../../src/secrets/list-item.ts';
import { listSecrets, type ListOutcome } from '../../../src/secrets/list-secrets.ts';
import { createLiveLists } from '../../../src/secrets/live-lists.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, callLines, seedLive } from '../history/live-secret.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { codec } from '../../fakes/annotations.ts';
import { inScope } from '../../fakes/in-scope.ts';

/** A cache that holds what the test gives it. */
function cacheOf(
  answer: () => CachedNamespace | LiveReason | KnownOverBudget,
): ListCache & { readonly notes: string[] } {
  const notes: string[] = [];
  return {
    notes,
    namespace: () => Promise.resolve(answer()),
    state: () => Promise.resolve('disabled' as const),
    namespaces: () => [],
    size: () => 0,
    noteClusterRevision: () => undefined,
    hasTooManyObjects: () => false,
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
    .map((secret) => listItemOf(secret))
    .toSorted(byName);
}

describe('a list from the cache', () => {
  it('reads only the policy from the cluster, and says how old it is', async () => {
    const sources: ListOutcome[] = [];
    const listCache = cacheOf(() => ({ items: itemsOf(fixture), newest: undefined, ageMs: 70 }));
    const fixture = createFixture({ listCache, onList: (from) => sources.push(from) });
    seedLive(fixture.cluster);
    const { from } = await fixture.service.list(actor(), inScope('team-a'), { live: false }, deadline);
    expect(from).toEqual({ source: 'cache', newest: undefined, ageMs: 70 });
    expect(callLines(fixture.cluster)).toEqual(['policies.read']);
    expect(sources).toEqual([from]);
  });

  it.each(['notSynced', 'silent', 'behind', 'uncertain', 'overBudget'] as const)(
    'is collected live when the cache says %s, and the cache receives what was seen',
    async (reason) => {
      const listCache = cacheOf(() => reason);
      const fixture = createFixture({ listCache });
      seedLive(fixture.cluster);
      const { from } = await fixture.service.list(admin(), inScope('team-a'), { live: false }, deadline);
      expect(from).toEqual({ source: 'live', reason });
      expect(listCache.notes).toEqual(['list of 1 in team-a']);
    },
  );

  it('is not even looked for when the client requests a live one, or there is none', async () => {
    const listCache = cacheOf(() => {
      throw new Error('the cache was read');
    });
    const { service } = createFixture({ listCache });
    const live = await service.list(admin(), inScope('team-a'), { live: true }, deadline);
    expect(live.from).toEqual({ source: 'live', reason: 'noCache' });
    const without = await createFixture().service.list(admin(), inScope('team-a'), { live: false }, deadline);
    expect(without.from).toEqual({ source: 'live', reason: 'disabled' });
  });

  it('is over budget at once, and nothing is collected, where the cache has seen too many objects', async () => {
    const outcomes: ListOutcome[] = [];
    const listCache = { ...cacheOf(() => 'tooManyObjects'), hasTooManyObjects: () => true };
    const fixture = createFixture({ listCache, onList: (outcome) => outcomes.push(outcome) });
    for (const live of [false, true]) {
      await expect(
        fixture.service.list(actor(), inScope('team-a'), { live }, deadline),
      ).rejects.toMatchObject({
        code: 'listOverBudget',
        reason: 'listOverBudget:objects',
      });
    }
    expect(fixture.cluster.calls).toEqual([]);
    const refused = { source: 'refused', reason: 'tooManyObjects' };
    expect(outcomes).toEqual([refused, refused]);
  });

  it('counts why it is live, also when its collection fails', async () => {
    const outcomes: ListOutcome[] = [];
    const listCache = cacheOf(() => 'overBudget');
    const fixture = createFixture({ listCache, onList: (outcome) => outcomes.push(outcome) });
    fixture.cluster.fail({ method: 'secrets.listPage' }, 'unavailable');
    expect(await codeOf(fixture.service.list(admin(), inScope('team-a'), { live: false }, deadline))).toBe(
      'listFailed',
    );
    expect(outcomes).toEqual([{ source: 'live', reason: 'overBudget' }]);
  });

  it('is refused without a usable policy, as a live one is', async () => {
    const listCache = cacheOf(() => ({ items: [], newest: undefined, ageMs: 0 }));
    const { cluster, service } = createFixture({ listCache });
    cluster.setPolicy('team-a', { allowedGroups: 'broken' });
    const listed = service.list(actor(), inScope('team-a'), { live: false }, deadline);
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
      const listCache = cacheOf(() => ({ items: itemsOf(fixture), newest: undefined, ageMs: 0 }));
      const fixture = createFixture({ listCache, managedOnly });
      for (const object of objects) fixture.cluster.seed({ namespace: 'team-a', ...object });
      if (rules !== null) fixture.cluster.setPolicy('team-a', rules);
      const list = async (live: boolean) => {
        const answer = fixture.service.list(who, inScope('team-a'), { live }, deadline);
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
    const { resourceVersion } = seedLive(cluster);
    const requested: unknown[] = [];
    const authorizer: Authorizer = {
      ...createAuthorizer({ policies, namespaces, scope: scopeOf() }),
      forList: (_actor, _namespace, listed) => {
        requested.push(listed);
        return Promise.resolve({ canCreate: true, key: 'anyone', isVisible: () => true });
      },
    };
    const listCache = isCached ? cacheOf(() => ({ items: [], newest: '4711', ageMs: 1 })) : undefined;
    const ignore = () => undefined;
    const compress = createCompressor();
    const dependencies = {
      authorizer,
      managedOnly: false,
      listCache,
      listAnswers: createListAnswers(1_000_000, compress),
      onList: ignore,
      liveLists: createLiveLists({ store, codec, listCache, compress, countRefusal: ignore }),
    };
    await listSecrets(dependencies, actor(), { namespace: inScope('team-a'), live: false }, deadline);
    expect(requested).toEqual([{ live: false, newest: isCached ? '4711' : resourceVersion }]);
  });
});
