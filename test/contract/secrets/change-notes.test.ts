import { describe, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { stateOf } from '../../harness/secret-paths.ts';
import { snapshotNameOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { restoresIn } from './restores.ts';

const NOTE = annotation('change-note');

const here = openNamespaceFixture();
const { freshName, native } = here;
const { listVersions, readVersion, restore } = restoresIn(here);

const revisionOf = async (name: string) => (await here.secrets.read(name)).resourceVersion;
const patch = async (name: string, body: object) =>
  here.stack.admin.patch(here.secrets.path(name), { resourceVersion: await revisionOf(name), ...body });

describe('changeNote', () => {
  it('of POST, PUT, PATCH and restore stays with the version that the write made', async () => {
    const name = freshName();
    await here.secrets.create(name, { data: { a: '1' }, changeNote: 'first' });
    await here.secrets.update(name, { data: { a: '2' }, changeNote: 'second' });
    secretOf(await patch(name, { set: { a: '3' }, changeNote: 'third 🔑' }));
    secretOf(await restore(await here.secrets.read(name), 1, { changeNote: 'back' }));
    const listed = await listVersions(name);
    expect(listed).toMatchObject({
      version: 4,
      changeNote: 'back',
      versions: [
        { version: 3, changeNote: 'third 🔑' },
        { version: 2, changeNote: 'second' },
        { version: 1, changeNote: 'first' },
      ],
    });
    expect(await readVersion(name, 2)).toMatchObject({ changeNote: 'second', data: { a: '2' } });
    const { metadata } = await native(name);
    expect(metadata.annotations?.[NOTE]).toBe('back');
    const snapshot = await native(snapshotNameOf(name, 1, metadata.uid ?? ''));
    expect(snapshot.metadata.annotations?.[NOTE]).toBe('first');
  });

  it('is removed by a write without one, of whatever kind', async () => {
    const name = freshName();
    await here.secrets.create(name, { data: { a: '1' }, changeNote: 'first' });
    for (const write of [
      () => here.secrets.update(name, { description: 'd' }),
      async () => secretOf(await patch(name, { set: { a: '2' } })),
      async () => secretOf(await restore(await here.secrets.read(name), 1)),
      async () => secretOf(await patch(name, { set: { a: '2' }, changeNote: '' })),
    ]) {
      await here.secrets.update(name, { changeNote: 'note' });
      expect(await listVersions(name)).toMatchObject({ changeNote: 'note' });
      await write();
      expect(await listVersions(name)).not.toHaveProperty('changeNote');
      expect((await native(name)).metadata.annotations).not.toHaveProperty([NOTE]);
    }
  });

  it('may have 256 characters, each of whatever size', async () => {
    const name = freshName();
    const changeNote = '🔑'.repeat(256);
    await here.secrets.create(name, { changeNote });
    expect(await listVersions(name)).toMatchObject({ changeNote });
  });

  it.each<[string, unknown]>([
    ['257 characters', 'x'.repeat(257)],
    ['a line break', 'a\nb'],
    ['a tab', 'a\tb'],
    ['DEL', '\u007f'],
    ['a C1 control', '\u0085'],
    ['a lone surrogate', '\ud800'],
    ['a number', 7],
    ['null', null],
  ])('of %s answers 400, and writes nothing', async (_what, changeNote) => {
    const secret = await here.secrets.createWithHistory(freshName(), 1);
    const before = await stateOf(here.stack.kube, here.namespace);
    const path = here.secrets.path(secret.name);
    const { resourceVersion } = secret;
    for (const answer of [
      await here.stack.admin.post(here.secrets.path(), { name: freshName(), changeNote }),
      await here.stack.admin.put(path, { resourceVersion, description: 'd', changeNote }),
      await here.stack.admin.patch(path, { resourceVersion, description: 'd', changeNote }),
      await restore(secret, 1, { changeNote }),
    ]) {
      expect(errorOf(answer, 400)).toMatch(/^changeNote must/);
    }
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it('alone is no patch', async () => {
    const { name } = await here.secrets.create(freshName());
    errorOf(await patch(name, { changeNote: 'nothing else' }), 400);
  });
});
