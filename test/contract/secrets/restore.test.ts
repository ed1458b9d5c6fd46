import { describe, expect, it } from 'vitest';
import { errorOf, secretOf, type SecretJson } from '../../harness/answers.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { restoresIn } from './restores.ts';
import { annotation, PREFIX } from '../../harness/annotation.ts';

const here = openNamespaceFixture();
const { freshName, native } = here;
const { listVersions, restore, restored, seeded } = restoresIn(here);

async function refused(
  status: number,
  secret: SecretJson,
  version: number,
  more: object = {},
): Promise<string> {
  const before = await stateOf(here.stack.kube, here.namespace);
  const error = errorOf(await restore(secret, version, more), status);
  expect(await stateOf(here.stack.kube, here.namespace), 'nothing was written').toEqual(before);
  return error;
}

describe('POST …/restore', () => {
  it('replaces data by the raw bytes of the snapshot, text and binary alike, as a new version', async () => {
    const values = [
      ['text', '\ufeffä\r\n'],
      ['binary', Uint8Array.of(0, 0xff)],
      ['empty', ''],
      ['__proto__', 'own'],
    ] as const;
    const secret = await seeded(values, { other: 'x' });
    const after = await restored(secret, 1);
    expect(after).toMatchObject({
      version: 3,
      binaryData: { binary: 'AP8=' },
      lastModifiedBy: 'admin@example.com',
    });
    const { data } = nativeSecret('', values) as { data: object };
    expect(Object.entries((await native(secret.name)).data ?? {}).sort()).toEqual(
      Object.entries(data).sort(),
    );
  });

  it('brings an empty Secret back', async () => {
    const secret = await seeded({}, { a: Uint8Array.of(0) });
    expect(await restored(secret, 1)).toMatchObject({ keys: [], data: {}, binaryData: {} });
  });

  it('changes nothing else: description, access rules, labels, type and immutability stay as they are live', async () => {
    const name = freshName();
    await here.secrets.create(name, {
      type: 'example.com/x',
      data: { a: '1' },
      description: 'old',
      allowedGroups: ['old'],
    });
    await here.secrets.update(name, {
      data: { a: '2' },
      description: 'new',
      allowedGroups: ['new'],
      allowedUsers: ['u@example.com'],
    });
    await here.stack.kube.patchSecret(here.namespace, name, {
      metadata: { labels: { app: 'x' }, annotations: { foreign: 'kept' } },
    });
    const before = await native(name);
    const restored = secretOf(await restore(await here.secrets.read(name), 1));
    expect(restored).toMatchObject({
      data: { a: '1' },
      version: 3,
      description: 'new',
      allowedGroups: ['new'],
      allowedUsers: ['u@example.com'],
      type: 'example.com/x',
      immutable: false,
    });
    const after = await native(name);
    expect(after.metadata.labels).toEqual({ app: 'x' });
    expect(after.metadata.annotations).toEqual({
      ...before.metadata.annotations,
      [annotation('version')]: '3',
      [annotation('last-modified-by')]: 'admin@example.com',
      [annotation('last-modified-at')]: restored.lastModifiedAt,
    });
  });

  it('archives the current state first, so that a restore can be undone', async () => {
    const name = freshName();
    await here.secrets.create(name, { data: { a: 'one' } });
    const second = await here.secrets.update(name, { data: { a: 'two' } });
    const third = await restored(second, 1);
    expect((await listVersions(name)).versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(await restored(third, 2)).toMatchObject({ version: 4, data: { a: 'two' } });
  });

  it('onto an immutable Secret takes identical data only', async () => {
    const secret = await seeded({ a: '1' }, undefined, { immutable: true });
    expect(await restored(secret, 1)).toMatchObject({ version: 3, immutable: true });
    const mutable = await seeded({ a: '1' }, { a: '2' });
    await here.stack.kube.patchSecret(here.namespace, mutable.name, { immutable: true });
    expect(await refused(422, await here.secrets.read(mutable.name), 1)).toMatch(/immutable/);
  });

  it('a snapshot of another type answers 422', async () => {
    const secret = await seeded({ a: '1' }, undefined, { type: 'example.com/one' });
    const { metadata, data } = await native(secret.name);
    const annotations = { ...metadata.annotations };
    const former = (
      await here.stack.kube.listSecrets(here.namespace, `${PREFIX}/history-uid=${metadata.uid ?? ''}`)
    )[0];
    if (former === undefined) throw new Error('there should be a snapshot');
    await here.stack.kube.patchSecret(here.namespace, former.metadata.name, {
      metadata: { annotations: { [annotation('history-type')]: 'example.com/two' } },
    });
    expect(await refused(422, secret, 1)).toMatch(/type/);
    expect(await native(secret.name)).toMatchObject({ metadata: { annotations }, data });
  });

  it('a version that is not archived answers 404', async () => {
    expect(await refused(404, await here.secrets.create(freshName()), 1)).toBe(
      'This version is not archived',
    );
  });

  it('a stale revision answers 409', async () => {
    const stale = await here.secrets.createWithHistory(freshName(), 1);
    await here.secrets.update(stale.name);
    expect(await refused(409, stale, 1)).toMatch(/reload/);
  });

  it.each<[string, object]>([
    ['no version', { version: undefined }],
    ['version 0', { version: 0 }],
    ['a version as text', { version: '1' }],
    ['a fractional version', { version: 1.5 }],
    ['a version beyond the safe integers', { version: 9_007_199_254_740_992 }],
    ['no revision', { resourceVersion: undefined }],
    ['a blank revision', { resourceVersion: ' ' }],
    ['a revision with a lone surrogate', { resourceVersion: '1\ud800' }],
    ['a source revision with a lone surrogate', { sourceResourceVersion: '1\ud800' }],
    ['data', { data: {} }],
    ['binaryData', { binaryData: {} }],
    ['an unknown field', { description: 'd' }],
    ['recoverCounter that is no boolean', { recoverCounter: 1 }],
  ])('%s answers 400', async (_what, more) => {
    await refused(400, await here.secrets.createWithHistory(freshName(), 1), 1, more);
  });

  it('a terminating Secret answers 409, which says that it is being deleted', async () => {
    const secret = await seeded({ a: '1' }, { a: '2' }, { metadata: { finalizers: ['example.com/hold'] } });
    await here.stack.kube.deleteSecret(here.namespace, secret.name);
    const answer = await restore(await here.secrets.read(secret.name), 1);
    expect(errorOf(answer, 409)).toMatch(/is being deleted/);
    await here.stack.kube.patchSecret(here.namespace, secret.name, { metadata: { finalizers: null } });
  });

  it('after a collision takes recoverCounter from admins only', async () => {
    const { name } = await here.secrets.createWithHistory(freshName(), 1);
    await here.stack.kube.patchSecret(here.namespace, name, {
      metadata: { annotations: { [annotation('version')]: '1' } },
    });
    const secret = await here.secrets.read(name);
    await refused(409, secret, 1);
    errorOf(await restore(secret, 1, { recoverCounter: true }, here.stack.developerA), 403);
    expect(secretOf(await restore(secret, 1, { recoverCounter: true }))).toMatchObject({
      version: 3,
      data: { key: 'value 1' },
    });
  });
});

describe('with the revision that was listed beside the version', () => {
  it('restores the version that archives it', async () => {
    const secret = await here.secrets.createWithHistory(freshName(), 1);
    const [listed] = (await listVersions(secret.name)).versions;
    const sourceResourceVersion = listed?.resourceVersion;
    expect(secretOf(await restore(secret, 1, { sourceResourceVersion }))).toMatchObject({ version: 3 });
  });

  it('answers 409 when another state has the number, and changes nothing', async () => {
    const secret = await here.secrets.createWithHistory(freshName(), 1);
    const before = await native(secret.name);
    const answer = await restore(secret, 1, { sourceResourceVersion: '1' });
    expect(errorOf(answer, 409)).toMatch(/another state.*reload/);
    expect(await native(secret.name)).toEqual(before);
    expect(await here.secrets.versions(secret.name)).toEqual([1]);
  });
});
