import { describe, expect, it } from 'vitest';
import { errorOf, secretOf, versionOf } from '../../harness/answers.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { restoresIn } from './restores.ts';

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const here = openNamespaceFixture();
const { freshName, native } = here;
const { listVersions, readVersion, seeded } = restoresIn(here);

describe('GET …/versions', () => {
  it('lists the archived versions newest first, without values, with exactly these fields', async () => {
    const name = freshName();
    const first = await here.secrets.create(name, { data: { a: '1', b: '2' } });
    const { resourceVersion } = first;
    const second = secretOf(
      await here.stack.developerA.put(here.secrets.path(name), { resourceVersion, data: { c: 'hidden' } }),
    );
    await here.secrets.update(name, { data: {} });
    const listed = await listVersions(name);
    const uid = (await native(name)).metadata.uid;
    const lastModifiedAt = expect.stringMatching(RFC_3339_UTC) as string;
    const shared = {
      lastModifiedAt,
      type: 'Opaque',
      createdAt: expect.stringMatching(RFC_3339_UTC) as string,
      binaryKeys: [],
    };
    expect(listed).toEqual({
      name,
      uid,
      version: 3,
      versions: [
        {
          ...shared,
          version: 2,
          resourceVersion: second.resourceVersion,
          lastModifiedBy: 'developer-a@example.com',
          keys: ['c'],
          keyCount: 1,
          changes: { added: ['c'], changed: [], removed: ['a', 'b'] },
        },
        {
          ...shared,
          version: 1,
          resourceVersion,
          lastModifiedBy: 'admin@example.com',
          keys: ['a', 'b'],
          keyCount: 2,
        },
      ],
      changes: { added: [], changed: [], removed: ['c'] },
    });
  });

  it('is empty before the first update', async () => {
    const { name } = await here.secrets.create(freshName());
    expect(await listVersions(name)).toMatchObject({ version: 1, versions: [] });
  });

  it('names binary keys, and leaves out an editor who is not known', async () => {
    const { name } = await seeded({ text: 'a', binary: Uint8Array.of(0) }, undefined);
    const [version] = (await listVersions(name)).versions;
    expect(version).toMatchObject({ keys: ['binary', 'text'], binaryKeys: ['binary'], keyCount: 2 });
    expect(version).not.toHaveProperty('lastModifiedBy');
  });
});

describe('GET …/versions/:version', () => {
  it('answers the fields of the list and the two maps of values', async () => {
    const { name } = await seeded({ text: 'ä', binary: Uint8Array.of(0xff), empty: '' }, undefined);
    const [summary] = (await listVersions(name)).versions;
    expect(await readVersion(name, 1)).toEqual({
      ...summary,
      data: { text: 'ä', empty: '' },
      binaryData: { binary: '/w==' },
    });
  });

  it('answers 404 for a version that is not archived for the live UID', async () => {
    const { name } = await here.secrets.createWithHistory(freshName(), 1);
    for (const version of ['2', '3', '9007199254740991']) {
      const answer = await here.stack.admin.get(here.secrets.path(name, `/versions/${version}`));
      expect(errorOf(answer, 404)).toBe('This version is not archived');
    }
  });

  it.each(['0', '-1', '01', '1.0', '1e1', 'one', '9007199254740992', '99999999999999999999', '%20', '+1'])(
    'answers 400 for "%s", which is no version',
    async (version) => {
      const { name } = await here.secrets.create(freshName());
      errorOf(await here.stack.admin.get(here.secrets.path(name, `/versions/${version}`)), 400);
    },
  );

  it('is held to the access rules of the live Secret', async () => {
    const { name } = await here.secrets.create(freshName(), { allowedGroups: ['team-a'] });
    await here.secrets.update(name, { allowedGroups: ['team-b'] });
    const path = here.secrets.path(name, '/versions/1');
    errorOf(await here.stack.developerA.get(path), 403);
    errorOf(await here.stack.developerA.get(here.secrets.path(name, '/versions')), 403);
    expect(versionOf(await here.stack.developerB.get(path)).version).toBe(1);
  });
});
