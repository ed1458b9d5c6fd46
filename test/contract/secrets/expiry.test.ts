import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { errorOf, jsonOf, listOf, secretOf, type SecretJson } from '../../harness/answers.ts';
import { DEVELOPER_A } from '../../harness/api-client.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import { becomes } from '../../integration/replicas.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { restoresIn } from './restores.ts';

const DAY_MS = 86_400_000;
const EXPIRES = annotation('expires-at');
const ROTATE = annotation('rotate-every');
const CHANGED = annotation('values-changed-at');

const here = openNamespaceFixture('test');
const { freshName, native } = here;
const { restore, listVersions, readVersion } = restoresIn(here);

const annotationsOf = async (name: string) => (await native(name)).metadata.annotations ?? {};
const revisionOf = async (name: string) => (await here.secrets.read(name)).resourceVersion;
const patch = async (name: string, body: object) =>
  here.stack.admin.patch(here.secrets.path(name), { resourceVersion: await revisionOf(name), ...body });
/** Deletes a Secret with archive, and restores it. */
async function deleteAndRestore(name: string, resourceVersion: string): Promise<SecretJson> {
  const path = here.secrets.deletePath(name, resourceVersion, '&keepHistory=true&archive=true');
  const { uid } = jsonOf(await here.stack.admin.delete(path), 200) as { uid: string };
  return secretOf(
    await here.stack.admin.post(`/api/namespaces/${here.namespace}/deleted/${uid}/restore`, {}),
    201,
  );
}
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const dueAfter = (time: string | undefined, days: number): number => Date.parse(time ?? '') + days * DAY_MS;
const dueOf = ({ rotationDueAt }: SecretJson): number => Date.parse(rotationDueAt ?? '');

describe('expiresAt and rotateEvery', () => {
  it('of POST, PUT and PATCH become annotations, and are in the summary, the detail and lists', async () => {
    const name = freshName();
    const created = await here.secrets.create(name, {
      data: { a: '1' },
      expiresAt: '2027-01-31T01:00:00+01:00',
      rotateEvery: '30d',
    });
    const declared = { expiresAt: '2027-01-31T00:00:00Z', rotateEvery: '30d' };
    expect(created).toMatchObject({ ...declared, version: 1 });
    expect(dueOf(created)).toBe(dueAfter(created.lastModifiedAt, 30));
    expect(await annotationsOf(name)).toMatchObject({ [EXPIRES]: declared.expiresAt, [ROTATE]: '30d' });
    expect(await here.secrets.read(name)).toMatchObject(declared);
    const { secrets } = listOf(await listBothWays(here.stack.admin, here.namespace));
    expect(secrets).toMatchObject([{ ...declared, rotationDueAt: created.rotationDueAt }]);
    expect(await here.secrets.update(name, { expiresAt: '2028-02-29T12:00:00Z' })).toMatchObject({
      expiresAt: '2028-02-29T12:00:00Z',
      rotateEvery: '30d',
    });
    expect(secretOf(await patch(name, { rotateEvery: '12h' }))).toMatchObject({
      expiresAt: '2028-02-29T12:00:00Z',
      rotateEvery: '12h',
    });
  });

  it('are kept where they are left out, and cleared by the empty text', async () => {
    const name = freshName();
    const declared = { expiresAt: '2027-01-31T00:00:00Z', rotateEvery: '30d' };
    await here.secrets.create(name, declared);
    expect(await here.secrets.update(name, { description: 'd' })).toMatchObject(declared);
    const cleared = secretOf(await patch(name, { expiresAt: '', rotateEvery: '' }));
    for (const field of ['expiresAt', 'rotateEvery', 'rotationDueAt'])
      expect(cleared).not.toHaveProperty(field);
    const annotations = await annotationsOf(name);
    expect([EXPIRES, ROTATE].filter((one) => one in annotations)).toEqual([]);
    expect(await here.secrets.create(freshName(), { expiresAt: '', rotateEvery: '' })).not.toHaveProperty(
      'expiresAt',
    );
  });

  it('alone are a version like any other, which needs write', async () => {
    const name = freshName();
    const writer = await here.stack.client({ ...DEVELOPER_A, email: 'writer@example.com', groups: [] });
    const reader = await here.stack.client({ ...DEVELOPER_A, email: 'reader@example.com', groups: [] });
    await here.secrets.create(name, {
      data: { a: '1' },
      allowedUsers: ['someone@example.com'],
      writerUsers: ['writer@example.com'],
      readerUsers: ['reader@example.com'],
    });
    const body = { resourceVersion: await revisionOf(name), expiresAt: inDays(9) };
    for (const method of ['PUT', 'PATCH']) {
      const answer = await reader.send(method, here.secrets.path(name), { json: body });
      expect(errorOf(answer, 403)).toBe('You do not have write access to this');
    }
    const changed = secretOf(await writer.patch(here.secrets.path(name), body));
    expect(changed).toMatchObject({ version: 2, lastModifiedBy: 'writer@example.com' });
    expect((await listVersions(name)).versions.map(({ version }) => version)).toEqual([1]);
    expect(await readVersion(name, 1)).toMatchObject({ data: { a: '1' } });
  });

  it.each<[string, string, unknown]>([
    ['expiresAt', 'a date alone', '2027-01-31'],
    ['expiresAt', 'a time without a zone', '2027-01-31T00:00:00'],
    ['expiresAt', 'a day that does not exist', '2027-02-29T00:00:00Z'],
    ['expiresAt', 'a year before 1970', '1969-12-31T00:00:00Z'],
    ['expiresAt', 'a time with a planted text', '2027-01-31T00:00:00Z planted'],
    ['expiresAt', 'a number', 1_801_440_000],
    ['expiresAt', 'null', null],
    ['rotateEvery', 'less than an hour', '59m'],
    ['rotateEvery', 'more than ten years', '3651d'],
    ['rotateEvery', 'a duration of ISO 8601', 'P30D'],
    ['rotateEvery', 'a planted text', 'planted'],
    ['rotateEvery', 'a number', 30],
    ['rotateEvery', 'null', null],
  ])('%s of %s answers 400 without repeating it, and writes nothing', async (field, _what, value) => {
    const { name, resourceVersion } = await here.secrets.create(freshName());
    const before = await stateOf(here.stack.kube, here.namespace);
    const path = here.secrets.path(name);
    for (const answer of [
      await here.stack.admin.post(here.secrets.path(), { name: freshName(), [field]: value }),
      await here.stack.admin.put(path, { resourceVersion, [field]: value }),
      await here.stack.admin.patch(path, { resourceVersion, [field]: value }),
    ]) {
      const text = errorOf(answer, 400);
      expect(text).toMatch(new RegExp(`^${field} must be a `));
      expect(text).not.toContain('planted');
    }
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it('of the annotations of someone else are read, and left out where they are malformed, which is counted', async () => {
    const metadata = (annotations: object) => ({ metadata: { annotations } });
    const { kube, service } = here.stack;
    const count = async () =>
      Number(
        /^service_expiry_annotations_malformed (\d+)$/m.exec(
          await (await fetch(`${service.opsUrl}/metrics`)).text(),
        )?.[1],
      );
    const before = await count();
    await kube.createSecret(
      here.namespace,
      nativeSecret('good', {}, metadata({ [EXPIRES]: '2027-01-31T02:00:00+02:00', [ROTATE]: '1d' })),
    );
    await kube.createSecret(
      here.namespace,
      nativeSecret('bad', {}, metadata({ [EXPIRES]: 'next year', [ROTATE]: '1d' })),
    );
    const [bad, good] = listOf(await listBothWays(here.stack.admin, here.namespace)).secrets;
    expect(good).toMatchObject({ expiresAt: '2027-01-31T00:00:00Z', rotateEvery: '1d' });
    expect(Date.parse(good?.rotationDueAt ?? '')).toBe(dueAfter(good?.creationTimestamp, 1));
    expect(bad).not.toHaveProperty('expiresAt');
    expect(bad).toMatchObject({ rotateEvery: '1d' });
    await becomes(count, before + 1);
    await here.secrets.update('bad', { description: 'kept as it is' });
    expect((await annotationsOf('bad'))[EXPIRES]).toBe('next year');
    await here.secrets.update('bad', { expiresAt: '' });
    await becomes(count, before);
  });
});

describe('rotationDueAt', () => {
  it('moves when values are written, by PUT or PATCH, be they the same', async () => {
    const name = freshName();
    await here.secrets.create(name, { data: { a: '1' }, rotateEvery: '30d' });
    for (const write of [
      () => here.secrets.update(name, { data: { a: '2' } }),
      async () => secretOf(await patch(name, { set: { a: '2' } })),
      async () => secretOf(await patch(name, { setBinary: { b: 'AP8=' } })),
      async () => secretOf(await patch(name, { remove: ['b'] })),
    ]) {
      const written = await write();
      expect(dueOf(written)).toBe(dueAfter(written.lastModifiedAt, 30));
    }
  });

  it('stays when description, rules or the expiry alone are written', async () => {
    const name = freshName();
    const { rotationDueAt } = await here.secrets.create(name, { data: { a: '1' }, rotateEvery: '30d' });
    for (const change of [{ description: 'd' }, { allowedGroups: ['team-a'] }, { expiresAt: inDays(1) }]) {
      expect(await here.secrets.update(name, change)).toMatchObject({ rotationDueAt });
    }
  });

  it('stays after a restore, of a version or of some of its keys', async () => {
    const name = freshName();
    await here.secrets.create(name, { data: { a: '1', b: '1' }, rotateEvery: '30d' });
    const { rotationDueAt } = await here.secrets.update(name, { data: { a: '2', b: '2' } });
    const some = secretOf(await restore(await here.secrets.read(name), 1, { keys: ['a'] }));
    expect(some).toMatchObject({ data: { a: '1', b: '2' }, rotationDueAt });
    const all = secretOf(await restore(await here.secrets.read(name), 1));
    expect(all).toMatchObject({ data: { a: '1', b: '1' }, rotationDueAt, rotateEvery: '30d' });
  });

  it('of a period that is set later counts from the last write, and stays after it', async () => {
    const name = freshName();
    const { lastModifiedAt } = await here.secrets.create(name, { data: { a: '1' } });
    expect(await annotationsOf(name)).not.toHaveProperty([CHANGED]);
    expect(dueOf(await here.secrets.update(name, { rotateEvery: '30d' }))).toBe(dueAfter(lastModifiedAt, 30));
    expect(dueOf(await here.secrets.update(name, { rotateEvery: '' }))).toBeNaN();
    expect(dueOf(await here.secrets.update(name, { rotateEvery: '1d' }))).toBe(dueAfter(lastModifiedAt, 1));
  });

  it('and expiresAt survive a deletion: what is restored is as old as it was', async () => {
    const name = freshName();
    const declared = { expiresAt: '2027-01-31T00:00:00Z', rotateEvery: '30d' };
    await here.secrets.create(name, { data: { a: '1' }, ...declared });
    const { rotationDueAt, resourceVersion } = await here.secrets.update(name, { description: 'd' });
    expect(await deleteAndRestore(name, resourceVersion)).toMatchObject({
      ...{ ...declared, rotationDueAt, version: 1 },
    });
  });

  it('survives a deletion also where the service has never written the Secret', async () => {
    const name = freshName();
    const metadata = { annotations: { [ROTATE]: '30d' } };
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: '1' }, { metadata }));
    await sleep(1_100); // Times in the cluster are whole seconds.
    const { rotationDueAt, resourceVersion } = await here.secrets.read(name);
    expect(await deleteAndRestore(name, resourceVersion)).toMatchObject({ rotationDueAt });
  });
});
