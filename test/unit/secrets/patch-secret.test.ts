import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/service-error.ts';
import type { PatchRequest } from '../../../src/secrets/input.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { callLines, seedLive } from '../history/live-secret.ts';
import { createFixture, stateOf } from './fixture.ts';

const KEYS = ['__proto__', 'constructor', 'toString', 'a', 'b', '.x', '-'] as const;
const NOTHING: PatchRequest = { set: new Map(), setBinary: new Map(), remove: [] };

const text = fc.string({ maxLength: 8 }).map((value) => value.replaceAll(/[^ -~]/g, '_'));
const texts = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), text), { selector: ([key]) => key });
/** For each key: a new text, a removal, or neither. */
const changes = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.option(text)), {
  selector: ([key]) => key,
  minLength: 1,
});

const bytesOf = (entries: readonly (readonly [string, string])[]) =>
  new Map(entries.map(([key, value]) => [key, Buffer.from(value)]));

function seeded(entries: readonly (readonly [string, string])[]) {
  const fixture = createFixture();
  seedLive(fixture.cluster, { annotations: {}, data: bytesOf(entries) });
  return fixture;
}

type Service = ReturnType<typeof seeded>;

const valuesOf = (data: ReadonlyMap<string, Uint8Array> = new Map()) =>
  new Map([...data].map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

const outcomeOf = ({ live, snapshot, archived, cluster }: Service) => ({
  data: valuesOf(live().data),
  annotations: live().annotations,
  archived: archived(),
  snapshot: valuesOf(snapshot(1)?.data),
  calls: callLines(cluster),
});

describe('a patch', () => {
  it('does what an update with the merged values does: the same state, history and calls', async () => {
    await fc.assert(
      fc.asyncProperty(texts, changes, async (before, change) => {
        const merged = new Map<string, string>(before);
        const set = new Map<string, string>();
        const remove: string[] = [];
        for (const [key, value] of change) {
          if (value !== null) set.set(key, value);
          else if (merged.has(key)) remove.push(key);
        }
        fc.pre(set.size + remove.length > 0);
        for (const key of remove) merged.delete(key);
        for (const [key, value] of set) merged.set(key, value);

        const [byPatch, byPut] = [seeded(before), seeded(before)];
        await byPatch.update({ patch: { ...NOTHING, set, remove } });
        await byPut.update({ data: merged });
        expect(outcomeOf(byPatch)).toEqual(outcomeOf(byPut));
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the bytes of every key that it does not name', async () => {
    const bytes = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.uint8Array({ maxLength: 16 })), {
      selector: ([key]) => key,
    });
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.constantFrom(...KEYS),
        fc.uint8Array({ maxLength: 16 }),
        async (all, key, value) => {
          const { cluster, update, live } = createFixture();
          seedLive(cluster, { annotations: {}, data: new Map<string, Uint8Array>(all) });
          const setBinary = new Map([[key, Buffer.from(value).toString('base64')]]);
          await update({ patch: { ...NOTHING, setBinary } });
          expect(valuesOf(live().data)).toEqual(
            valuesOf(new Map<string, Uint8Array>([...all, [key, value]])),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('copies nothing into prototypes', async () => {
    const { update, live } = seeded([['a', '1']]);
    await update({ patch: { ...NOTHING, set: new Map([['__proto__', 'x']]) } });
    expect([...live().data.keys()].sort()).toEqual(['__proto__', 'a']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('changes no values of a Secret that is being deleted, but its description', async () => {
    const { cluster, update, remove, live } = createFixture();
    seedLive(cluster, { annotations: {}, finalizers: ['example.com/hold'] });
    await remove({ keepHistory: true });
    const before = stateOf(cluster);
    await expect(update({ patch: { ...NOTHING, set: new Map([['a', '9']]) } })).rejects.toThrow(
      'being deleted',
    );
    expect(stateOf(cluster)).toEqual(before);
    await update({ patch: NOTHING, description: 'words' });
    expect(live().annotations.get('service.io/description')).toBe('words');
  });

  const refusals: readonly (readonly [what: string, patch: Partial<PatchRequest>, code: ErrorCode])[] = [
    ['that names nothing', {}, 'invalidRequest'],
    ['with a key twice', { set: new Map([['a', '']]), remove: ['a'] }, 'invalidRequest'],
    [
      'that is too large together with what stays',
      { set: new Map([['c', 'x'.repeat(1_048_576)]]) },
      'tooLarge',
    ],
    ['that removes what is absent', { remove: ['absent'] }, 'invalidSecret'],
  ];
  it.each(refusals)('%s is refused before any snapshot or write', async (_what, patch, code) => {
    const { cluster, update } = seeded([['a', '1']]);
    const before = stateOf(cluster);
    expect(await codeOf(update({ patch: { ...NOTHING, ...patch } }))).toBe(code);
    expect(stateOf(cluster)).toEqual(before);
  });
});
