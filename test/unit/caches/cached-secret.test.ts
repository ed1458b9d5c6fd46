import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeepLive } from '../../../src/caches/cached-secret.ts';
import { createSharedValues } from '../../../src/caches/shared-values.ts';
import { createSummaryForms } from '../../../src/caches/summary-form.ts';
import { searchText } from '../../../src/contract/search-text.ts';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { listItemOf } from '../../../src/secrets/list-item.ts';
import { summaryOf } from '../../../src/secrets/secret-view.ts';
import { clusterWithLive } from '../history/live-secret.ts';

const { live } = clusterWithLive();

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

describe('what is kept of a live Secret', () => {
  it('is exactly its list item, for any contents, with forms that are shared and without', () => {
    const keeps = [0, 3, 10_000].map((most) => createKeepLive(createSharedValues(most)));
    fc.assert(
      fc.property(secrets, (change) => {
        const secret = { ...live, ...change, bytes: 4_711 };
        const item = listItemOf(secret);
        for (const keep of keeps) {
          const kept = keep(secret);
          expect(kept.json).toBe(item.json);
          const { namespace, name, uid, resourceVersion, rules, managed, notAfter } = kept;
          expect({ namespace, name, uid, resourceVersion, rules, managed, notAfter }).toEqual({
            ...item,
            json: undefined,
          });
          expect([kept.terminating, kept.bytes]).toEqual([secret.deletionTimestamp !== undefined, 4_711]);
        }
      }),
    );
  });
});

describe('searching and sorting what is kept', () => {
  it('finds what the name, key names and description contain, ignoring case', () => {
    const keeps = [0, 10_000].map((most) => createKeepLive(createSharedValues(most), most));
    fc.assert(
      fc.property(secrets, fc.array(text), (change, words) => {
        const secret = { ...live, ...change, bytes: 4_711 };
        const { name, keys, description, type, lastModifiedAt } = summaryOf(secret);
        const all = searchText([name, ...keys, description].join('\n'));
        const some = [...words, name, description, ...keys, description.slice(1, 4), '"', 'description'];
        const found = some.flatMap((one) => searchText(one).split(/\s+/));
        for (const kept of keeps.map((keep) => keep(secret))) {
          for (const word of found) expect([word, kept.hasWord(word)]).toEqual([word, all.includes(word)]);
          expect([kept.type, kept.changedMs()]).toEqual([
            type,
            timeOf(lastModifiedAt ?? '') ?? timeOf(secret.creationTimestamp) ?? 0,
          ]);
        }
      }),
    );
  });

  it('takes the last modification for the time of the last change, or else the creation', () => {
    for (const most of [0, 10]) {
      const keep = createKeepLive(createSharedValues(most), most);
      const secret = { ...live, creationTimestamp: '2026-01-01T00:00:00Z', bytes: 1 };
      const changedMs = (lastModifiedAt: string | undefined) =>
        keep({ ...secret, managed: { ...secret.managed, lastModifiedAt } }).changedMs();
      expect(changedMs('2026-01-02T00:00:00Z')).toBe(Date.UTC(2026, 0, 2));
      expect(changedMs('no time')).toBe(Date.UTC(2026, 0, 1));
      expect(changedMs(undefined)).toBe(Date.UTC(2026, 0, 1));
    }
  });
});

function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

describe('the form of a summary', () => {
  const summary = summaryOf(live);
  const others = [
    { description: 'another' },
    { version: 7 },
    { name: 'other', namespace: 'team-b', resourceVersion: '1' },
    { creationTimestamp: '2027-01-01T00:00:00Z', lastModifiedAt: '2027-01-01T00:00:00Z' },
  ].map((change) => ({ ...summary, ...change }));

  it('is the same object for Secrets that differ in what is their own', () => {
    const forms = createSummaryForms(10);
    const [first, ...rest] = [summary, ...others].map((one) => forms.cut({ ...summary, ...one }).form);
    for (const form of rest.slice(0, 3)) expect(form).toBe(first);
  });

  it('is of its own beyond the bound, and for a summary that is hardly like another', () => {
    const forms = createSummaryForms(1);
    forms.cut(summary);
    const long = { ...summary, keys: Array.from({ length: 300 }, (_, index) => `key-${index}`) };
    for (const one of [{ ...summary, type: 'other' }, long]) {
      const { form, own } = forms.cut(one);
      expect(form.join(one, own)).toBe(JSON.stringify(one));
      expect(forms.cut(one).form).not.toBe(form);
    }
    const roomy = createSummaryForms(10);
    expect(roomy.cut(long).form).not.toBe(roomy.cut(long).form);
  });
});
