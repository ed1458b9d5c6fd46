import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RULE_ENTRY_BYTES } from '../../../src/contract/access-entry.ts';
import { isValidKey } from '../../../src/contract/keys.ts';
import { hasBinaryControl } from '../../../src/contract/text.ts';
import { admin } from '../access/users.ts';
import { seedLive } from '../history/live-secret.ts';
import { createFixture } from './fixture.ts';

const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '.x', '-', '0'),
  fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/).filter(isValidKey),
);
const bytes = fc.uint8Array({ maxLength: 64 });
const text = fc
  .string({ unit: 'binary', maxLength: 32 })
  .filter((value) => value.isWellFormed() && !hasBinaryControl(value));
const dataOf = <Value>(value: fc.Arbitrary<Value>) =>
  fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries) => new Map(entries));

const copies = (data: ReadonlyMap<string, Uint8Array>) =>
  [...data]
    .map(([name, value]) => [name, [...value]])
    .sort((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));

describe('no value changes by passing through', () => {
  it('any legal keys and any bytes survive the update of another field, and a restore', async () => {
    await fc.assert(
      fc.asyncProperty(dataOf(bytes), dataOf(bytes), async (first, second) => {
        const { cluster, update, restore, live, snapshot } = createFixture();
        const seeded = seedLive(cluster, { annotations: {}, data: first });
        const { summary, values } = await update({ description: 'other field' });
        expect(copies(live().data)).toEqual(copies(first));
        expect(copies(snapshot(1)?.data ?? new Map())).toEqual(copies(first));
        expect(summary.keyCount).toBe(first.size);
        expect(values.text.size + values.binary.size).toBe(first.size);

        cluster.touch(seeded, { data: second });
        await restore(1);
        expect(copies(live().data)).toEqual(copies(first));
        expect(copies(snapshot(2)?.data ?? new Map())).toEqual(copies(second));
      }),
      { numRuns: 150 },
    );
  });

  it('any text survives create, update and restore', async () => {
    await fc.assert(
      fc.asyncProperty(dataOf(text), dataOf(text), async (first, second) => {
        const { create, update, restore } = createFixture();
        await create({ data: first });
        expect((await update({ data: second })).values.text).toEqual(second);
        const { values } = await restore(1);
        expect(values.text).toEqual(first);
        expect(values.binary.size).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('any access rules survive create and an update of another field', async () => {
    const entry = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((value) => !value.includes(',') && value.trim() !== '' && !/\p{Cc}/u.test(value))
      .filter((value) => Buffer.byteLength(value) <= MAX_RULE_ENTRY_BYTES);
    const list = fc.array(entry, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(list, list, async (allowedGroups, allowedUsers) => {
        const { create, update } = createFixture();
        const rules = {
          allowedGroups: allowedGroups.map((value) => value.trim()),
          allowedUsers: allowedUsers.map((value) => value.trim()),
        };
        expect((await create({ allowedGroups, allowedUsers })).summary).toMatchObject(rules);
        expect((await update({ description: 'x' }, admin())).summary).toMatchObject(rules);
      }),
      { numRuns: 150 },
    );
  });
});
