import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { restoresIn } from './restores.ts';

const here = openNamespaceFixture();
const { freshName, native } = here;
const { restored } = restoresIn(here);

describe('any values', () => {
  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'a', '.dockercfg'),
    fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,30}$/),
  );
  const value = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: 'grapheme' }).map((text) => new TextEncoder().encode(text)),
  );
  const values = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 6 });

  it('survive create, update of another field, replacement and restore byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (entries) => {
        const name = freshName();
        const wanted = Object.entries((nativeSecret(name, entries) as { data: object }).data).sort();
        const stored = async () => Object.entries((await native(name)).data ?? {}).sort();
        await here.stack.kube.createSecret(here.namespace, nativeSecret(name, entries));
        const detail = await here.secrets.read(name);
        const split = [...Object.keys(detail.data), ...Object.keys(detail.binaryData)];
        expect(split.sort()).toEqual([...detail.keys].sort());
        await here.secrets.update(name, { description: 'changed' });
        expect(await stored()).toEqual(wanted);
        await here.stack.kube.patchSecret(here.namespace, name, { data: null });
        const after = await restored(await here.secrets.read(name), 1);
        expect(await stored()).toEqual(wanted);
        expect(Object.entries(after.data)).toEqual(Object.entries(detail.data));
        expect(Object.entries(after.binaryData)).toEqual(Object.entries(detail.binaryData));
      }),
      { numRuns: 40 },
    );
  });

  it('and any access rules survive the way through the service', async () => {
    const entry = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((text) => text.replaceAll(',', ';').trim())
      .filter((text) => text !== '' && text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 5 }),
        fc.array(entry, { maxLength: 5 }),
        async (groups, users) => {
          const name = freshName();
          await here.secrets.create(name, { allowedGroups: groups, allowedUsers: users });
          await here.secrets.update(name, { description: 'changed' });
          expect(await here.secrets.read(name)).toMatchObject({ allowedGroups: groups, allowedUsers: users });
        },
      ),
      { numRuns: 25 },
    );
  });
});
