import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachedSecretOf, reducedSecretOf } from '../../../src/caches/cached-secret.ts';
import { searchText } from '../../../src/contract/search-text.ts';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { RULE_LISTS } from '../../../src/contract/access-rules.ts';
import { byName, heapBytesOf, listItemOf, type ListItem } from '../../../src/lists/list-item.ts';
import { summaryOf } from '../../../src/secrets/secret-view.ts';
import { clusterWithLive } from '../history/live-secret.ts';

const { live } = clusterWithLive();

function item(change: Partial<typeof live>): ListItem {
  return listItemOf({ ...live, ...change });
}
const described = (description: string) => item({ managed: { ...live.managed, description } });
const descriptionIn = ({ json }: ListItem) => (JSON.parse(json) as { description: string }).description;

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', '","name":"', '\u2028', '}{'));
const optional = fc.option(text, { nil: undefined });
const secrets = fc.record<Partial<StoredSecret>>({
  namespace: fc.constantFrom('team-a', 'team-b'),
  name: text,
  resourceVersion: text,
  type: text,
  immutable: fc.boolean(),
  creationTimestamp: text,
  deletionTimestamp: optional,
  controllerOwner: fc.option(fc.record({ kind: text, name: text }), { nil: undefined }),
  data: fc
    .array(fc.tuple(fc.oneof(text, fc.constantFrom('__proto__', 'toString')), fc.uint8Array()))
    .map((entries) => new Map(entries)),
  managed: fc.record({
    isManaged: fc.boolean(),
    version: fc.nat(),
    description: text,
    allowedGroups: fc.array(text, { maxLength: 3 }),
    allowedUsers: fc.array(text, { maxLength: 3 }),
    lastModifiedBy: optional,
    lastModifiedAt: optional,
    snapshot: fc.constant(undefined),
  }),
});

describe('the item of a Secret', () => {
  it('has the summary, and what searches and orders need, for any contents', () => {
    fc.assert(
      fc.property(secrets, (change) => {
        const secret = { ...live, ...change };
        const summary = summaryOf(secret);
        const { keys, name, description, lastModifiedAt, creationTimestamp } = summary;
        const made = listItemOf(secret);
        expect(made.json).toBe(JSON.stringify(summary));
        expect(made.text).toBe(searchText([name, ...keys, description].join('\n')));
        expect(made.changedMs).toBe(timeOf(lastModifiedAt ?? '') ?? timeOf(creationTimestamp) ?? 0);
        expect(made.managed).toBe(summary.managedByService);
        expect(made.rules.allowedGroups).toEqual(summary.allowedGroups);
        const cached = cachedSecretOf({ ...secret, bytes: 4_711 });
        const terminating = secret.deletionTimestamp !== undefined;
        expect(cached).toEqual({
          ...made,
          kind: 'live',
          terminating,
          bytes: 4_711,
          heapBytes: heapBytesOf(made),
        });
        const { namespace, uid, resourceVersion } = secret;
        expect(reducedSecretOf(cached)).toMatchObject({ namespace, uid, resourceVersion, terminating });
      }),
    );
  });

  it('takes the last modification for the time of the last change, or else the creation', () => {
    const creationTimestamp = '2026-01-01T00:00:00Z';
    const changedMs = (lastModifiedAt: string | undefined) =>
      item({ creationTimestamp, managed: { ...live.managed, lastModifiedAt } }).changedMs;
    expect(changedMs('2026-01-02T00:00:00Z')).toBe(Date.UTC(2026, 0, 2));
    expect(changedMs('no time')).toBe(Date.UTC(2026, 0, 1));
    expect(changedMs(undefined)).toBe(Date.UTC(2026, 0, 1));
  });

  it('has a description of at most 4 KiB in UTF-8, cut between two characters, with an ellipsis', () => {
    for (const character of ['a', 'ü', '€', '🔒']) {
      const whole = character.repeat(4_096 / Buffer.byteLength(character));
      const cut = descriptionIn(described(`${whole}${character}`));
      expect(descriptionIn(described(whole.slice(0, 4_000)))).toBe(whole.slice(0, 4_000));
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4_096);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(4_096 - 8);
      expect(cut.isWellFormed() && cut.endsWith(`${character}…`)).toBe(true);
    }
    expect(descriptionIn(described('a'.repeat(4_096)))).toHaveLength(4_096);
    expect(described('x'.repeat(255_000)).text.length).toBeLessThan(4_200);
  });

  it('counts what its texts take of the heap, at one or two bytes a character', () => {
    const keysOf = (letter: string) => item({ data: new Map([[letter.repeat(200_000), new Uint8Array()]]) });
    const plain = heapBytesOf(item({ data: new Map() }));
    expect(plain).toBeLessThan(2_000);
    expect(heapBytesOf(keysOf('a')) - plain).toBeGreaterThan(2 * 200_000);
    expect(heapBytesOf(keysOf('Ж')) - plain).toBeGreaterThan(4 * 200_000);
    const allowedUsers = Array.from({ length: 256 }, (_, index) => `${index}@example.com`);
    for (const list of RULE_LISTS) {
      const managed = { ...live.managed, [list]: allowedUsers };
      expect(heapBytesOf(item({ managed })) - plain).toBeGreaterThan(allowedUsers.length * 32);
    }
    expect(heapBytesOf(item({ managed: { ...live.managed, allowedUsers } })) - plain).toBeGreaterThan(
      256 * 50,
    );
  });
});

function timeOf(given: string): number | undefined {
  const time = Date.parse(given);
  return Number.isNaN(time) ? undefined : time;
}

describe('the order of a list', () => {
  it('is by code unit, the same everywhere', () => {
    const unordered = ['b', 'a-b', 'a.b', 'a0', 'ab', 'a', 'a1', 'a10', 'a2'];
    const ordered = unordered.map((name) => item({ name })).sort(byName);
    expect(ordered.map(({ name }) => name)).toEqual([...unordered].sort());
  });
});
