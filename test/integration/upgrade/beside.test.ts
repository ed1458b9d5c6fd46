import { expect, it } from 'vitest';
import { listOf } from '../../harness/answers.ts';
import { clientFor } from '../../harness/api-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { BESIDE_PEOPLE, BESIDE_SECRETS } from './beside-recipe.ts';
import { readGoldenBeside, withGolden } from './golden.ts';
import { GOLDEN_NAMESPACE as NAMESPACE } from './golden-recipe.ts';

// What 0.1.0 made of Secrets with readers, writers, notes and bytes, beside a build that has them. test/data/golden/README.md says
// how it was recorded.

const golden = readGoldenBeside('0.1.0');

type Who = keyof typeof BESIDE_PEOPLE;

const ALL = Object.keys(BESIDE_SECRETS).sort();
/** Whom this build shows what. */
const SHOWN: Readonly<Record<Who, readonly string[]>> = {
  admin: ALL,
  manager: ALL,
  other: ['with-readers', 'with-writers'],
  auditor: ALL,
};

it('0.1.0 gave no one more than this build does, in lists and by address', async () => {
  await withGolden(golden, async (fixture) => {
    const { url } = await fixture.replica();
    for (const [who, someone] of Object.entries(BESIDE_PEOPLE)) {
      const secrets = secretsOf(await clientFor(url, someone), NAMESPACE);
      const client = await clientFor(url, someone);
      const list = listOf(await client.get(secrets.path())).secrets.map(({ name }) => name);
      const statuses = await Promise.all(
        ALL.map(async (name) => [name, (await client.get(secrets.path(name))).status] as const),
      );
      const read = statuses.flatMap(([name, status]) => (status === 200 ? [name] : []));
      expect([list, read], who).toEqual([SHOWN[who as Who], SHOWN[who as Who]]);
      const before = golden.shown[who] ?? { list: [], read: [] };
      expect(list, who).toEqual(expect.arrayContaining([...before.list]));
      expect(read, who).toEqual(expect.arrayContaining([...before.read]));
    }
    expect(golden.shown['other']).toEqual({ list: [], read: [] });
  });
});

it('the lists of readers and writers, and bytes, live and archived, are as they were after updates by 0.1.0', async () => {
  await withGolden(golden, async (fixture) => {
    const { admin } = await fixture.replica();
    const secrets = secretsOf(admin, NAMESPACE);
    for (const [name, recipe] of Object.entries(BESIDE_SECRETS)) {
      const { setBinary, ...rules } = { setBinary: undefined, ...recipe };
      expect(await secrets.read(name)).toMatchObject({ version: 4, ...rules });
      expect(await secrets.versions(name)).toEqual([3, 2, 1]);
      if (setBinary === undefined) continue;
      const { keystore } = setBinary;
      expect(await secrets.read(name)).toMatchObject({ binaryData: { keystore } });
      for (const version of [1, 2, 3]) {
        const { json } = await admin.get(secrets.path(name, `/versions/${version}`));
        expect(json).toMatchObject({ version: { binaryData: { keystore } } });
      }
    }
  });
});

it('what 0.1.0 has updated is written and restored by this build, by writers too, and the rules stay', async () => {
  await withGolden(golden, async (fixture) => {
    const { url } = await fixture.replica();
    const writer = await clientFor(url, BESIDE_PEOPLE.other);
    const secrets = secretsOf(writer, NAMESPACE);
    const name = 'with-writers';
    const { resourceVersion } = await secrets.read(name);
    const patch = { resourceVersion, set: { value: 'fifth' }, changeNote: 'fifth' };
    expect((await writer.patch(secrets.path(name), patch)).status).toBe(200);
    const restore = { resourceVersion: (await secrets.read(name)).resourceVersion, version: 1 };
    expect((await writer.post(secrets.path(name, '/restore'), restore)).status).toBe(200);
    expect(await secrets.read(name)).toMatchObject({
      version: 6,
      data: { value: 'first' },
      ...BESIDE_SECRETS[name],
    });
    expect(await secrets.versions(name)).toEqual([5, 4, 3, 2, 1]);
    const rules = { resourceVersion: (await secrets.read(name)).resourceVersion, readerGroups: ['team-b'] };
    expect((await writer.put(secrets.path(name), rules)).status).toBe(403);
  });
});
