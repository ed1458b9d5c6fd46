import { describe, expect, it } from 'vitest';
import type { Deadline } from '../../../src/timing/deadline.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { actor, admin } from '../access/users.ts';
import { callLines, deadline, REF, seedLive } from '../history/live-secret.ts';
import { deletedFixture, namespace } from './deleted-fixture.ts';

/** As many and as long entries as a write may have. */
const entries = (last: string) => [...Array.from({ length: 255 }, longEntry), last].join(',');
const longEntry = (_: unknown, index: number) => String(index).padStart(256, 'x');
const rulesOf = (group: string) => ({
  'service.io/version': '3',
  'service.io/allowed-groups': entries(group),
  'service.io/allowed-users': entries('someone@example.com'),
});
const RULES = { a: rulesOf('team-a'), b: rulesOf('team-b') };
const PAGE_BYTES = 8_388_608;
const EACH_BYTES = 2 * 256 * 256;

type Page = Awaited<ReturnType<ReturnType<typeof deletedFixture>['page']>>;

/** One deleted Secret for each team, the last one deleted first, with more than 40 MB of rules for 300. */
function withFinals(teams: readonly ('a' | 'b')[], more: Readonly<Record<string, string>> = {}) {
  const fixture = deletedFixture();
  const { cluster, page, seedFinal } = fixture;
  const seeded = teams.map((team, index) => {
    const live = seedLive(cluster, { name: `db-${index}`, annotations: { ...RULES[team], ...more } });
    seedFinal(live, 1, { at: new Date(Date.UTC(2026, 2, 4) - index * 1_000).toISOString() });
    cluster.remove(live);
    return { uid: live.uid, name: live.name, team };
  });
  const pages = async (limit: number, who = actor()): Promise<readonly Page[]> => {
    const found: Page[] = [];
    do {
      const before = callLines(cluster).length;
      found.push(await page(limit, found.at(-1)?.continue, who));
      const reads = callLines(cluster)
        .slice(before)
        .filter((line) => line.startsWith('read'));
      expect(reads.length).toBeLessThanOrEqual(PAGE_BYTES / EACH_BYTES + 1);
    } while (found.at(-1)?.continue !== undefined);
    return found;
  };
  return { ...fixture, seeded, pages };
}

const teamsOf = (count: number, teamAt: (index: number) => 'a' | 'b') =>
  Array.from({ length: count }, (_, index) => teamAt(index));
const namesIn = (pages: readonly Page[]) => pages.flatMap(({ deleted }) => deleted.map(({ name }) => name));

describe('pages of deleted Secrets with more metadata than a list keeps', () => {
  it('come to the end: each that the person may see once, in order, and no other', async () => {
    const { pages, seeded } = withFinals(teamsOf(300, (index) => (index % 3 === 0 ? 'b' : 'a')));
    const visible = seeded.filter(({ team }) => team === 'a').map(({ name }) => name);
    expect(namesIn(await pages(500))).toEqual(visible);
    expect(namesIn(await pages(7))).toEqual(visible);
    expect(namesIn(await pages(500, admin()))).toEqual(seeded.map(({ name }) => name));
  });

  it('are the only way to it: the whole list is 503', async () => {
    const { page } = withFinals(teamsOf(300, () => 'a'));
    await expect(page()).rejects.toMatchObject({ code: 'historyUnavailable', reason: 'deletedOverBudget' });
  });

  it('are not needed where a list that expires begins again: what was kept before does not count', async () => {
    const { cluster, page } = withFinals(teamsOf(100, () => 'a'));
    expect((await page()).deleted).toHaveLength(100);
    const lists = callLines(cluster).filter((line) => line === 'listMetadata').length;
    expect(lists).toBeGreaterThan(2);
    cluster.on({ method: 'secrets.listMetadata', skip: lists - 1 }, () => {
      cluster.expireContinueTokens();
    });
    expect((await page()).deleted).toHaveLength(100);
    expect(callLines(cluster).filter((line) => line === 'listMetadata').length).toBe(3 * lists);
  });

  it('can be empty, with a token that shows nothing of what is hidden, for its person and namespace', async () => {
    const { page, pages, seeded } = withFinals(teamsOf(300, (index) => (index === 299 ? 'a' : 'b')));
    const all = await pages(500);
    expect(namesIn(all)).toEqual(['db-299']);
    const ended = all.slice(0, -1);
    expect(ended.some(({ deleted }) => deleted.length === 0)).toBe(true);
    const { continue: token = '' } = all[0] ?? {};
    const { continue: other = '' } = await page(500, undefined, actor());
    expect(other).not.toBe(token);
    const { continue: afterShown = '' } = await page(1, undefined, admin());
    expect(afterShown).toHaveLength(token.length);
    for (const text of [token, Buffer.from(token, 'base64url').toString('latin1')])
      expect(seeded.filter(({ uid }) => text.includes(uid))).toEqual([]);
    expect(await codeOf(page(500, token, actor({ email: 'other@example.com' })))).toBe('pageExpired');
    expect(await codeOf(page(500, token, actor(), inScope('team-b')))).toBe('pageExpired');
  });

  it('follow the rules that a snapshot has when it is read', async () => {
    const { cluster, page, seedFinal } = deletedFixture();
    const final = seedFinal(seedLive(cluster), 1, { keys: undefined });
    cluster.remove(REF);
    cluster.on({ method: 'secrets.read' }, () => {
      const annotations = new Map([...final.annotations, ['service.io/allowed-groups', 'team-b']]);
      cluster.touch(final, { annotations });
    });
    expect((await page(1, undefined, actor())).deleted).toEqual([]);
  });

  it('end when half of their time has passed, after one read at least', async () => {
    const { cluster, service } = withFinals(teamsOf(300, (index) => (index < 299 ? 'b' : 'a')));
    let left = 10_000;
    const hurried: Deadline = { signal: deadline.signal, remainingMs: () => left };
    cluster.on({ method: 'secrets.read', times: Infinity }, () => void (left -= 2_600));
    const list = () => service.deleted.list(actor(), namespace, { limit: 500, token: undefined }, hurried);
    const one = await list();
    expect(callLines(cluster).filter((line) => line.startsWith('read'))).toHaveLength(2);
    expect(one.deleted).toEqual([]);
    expect(one.continue).toBeDefined();
  });
});

describe('deleted Secrets with more keys than a snapshot records', () => {
  const KEYS = Array.from({ length: 4_000 }, (_, index) => String(index).padStart(253, 'k'));
  const MANY_KEYS = Object.fromEntries(KEYS.map((key) => [key, '']));

  function withKeys(count: number, data: Readonly<Record<string, string>> = MANY_KEYS) {
    const fixture = deletedFixture();
    const { cluster, seedFinal } = fixture;
    for (let index = 0; index < count; index++) {
      const live = seedLive(cluster, { name: `db-${index}`, data });
      const at = new Date(Date.UTC(2026, 2, 4) - index * 1_000).toISOString();
      const snapshot = seedFinal(live, 1, { at, keys: undefined });
      cluster.touch(snapshot, { data: live.data });
      cluster.remove(live);
    }
    return fixture;
  }

  it('end a page by the bytes of their names, too', async () => {
    const { page } = withKeys(6);
    const first = await page(500);
    expect(first.deleted.length).toBeGreaterThan(2);
    expect(JSON.stringify(first).length).toBeLessThan(PAGE_BYTES);
    const second = await page(500, first.continue);
    expect(namesIn([first, second])).toEqual(Array.from({ length: 6 }, (_, index) => `db-${index}`));
    expect(second.continue).toBeUndefined();
  });

  it('are listed as a whole within the same bytes as others', async () => {
    expect((await withKeys(12).page()).deleted).toHaveLength(12);
    const { cluster, page } = withKeys(20);
    await expect(page()).rejects.toMatchObject({ code: 'historyUnavailable', reason: 'deletedOverBudget' });
    expect(callLines(cluster).filter((line) => line.startsWith('read')).length).toBeLessThan(20);
  });

  it('are listed as a whole however long their values are', async () => {
    const { page } = withKeys(40, { large: 'x'.repeat(1_000_000) });
    expect((await page()).deleted).toHaveLength(40);
  });
});

describe('a deleted Secret with a long description', () => {
  it('has 4 KiB of it, in the list and in pages, so that 200 of them fit', async () => {
    const { page } = withFinals(
      teamsOf(200, () => 'a'),
      {
        'service.io/allowed-groups': 'team-a',
        'service.io/allowed-users': '',
        'service.io/description': 'ü'.repeat(120_000),
      },
    );
    for (const limit of [undefined, 200]) {
      const { deleted } = await page(limit);
      expect(deleted).toHaveLength(200);
      for (const { description } of deleted)
        expect(Buffer.byteLength(description)).toBeLessThanOrEqual(4_096);
    }
  });
});
