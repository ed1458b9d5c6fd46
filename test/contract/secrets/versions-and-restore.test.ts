import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf, secretOf, versionOf, versionsOf, type SecretJson } from '../../harness/answers.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import { openNamespaceGround } from './namespace-ground.ts';

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const here = openNamespaceGround();
const { freshName, native } = here;

type Values = Parameters<typeof nativeSecret>[1];
type More = Parameters<typeof nativeSecret>[2];

const listVersions = async (name: string) =>
  versionsOf(await here.stack.admin.get(here.secrets.path(name, '/versions')));
const readVersion = async (name: string, version: number) =>
  versionOf(await here.stack.admin.get(here.secrets.path(name, `/versions/${version}`)));
const restore = (
  { name, resourceVersion }: SecretJson,
  version: number,
  more: object = {},
  client = here.stack.admin,
) => client.post(here.secrets.path(name, '/restore'), { resourceVersion, version, ...more });

/** A Secret made without the service whose first version is archived and whose live values are `then`. */
async function seeded(first: Values, then: Values | undefined, more: More = {}): Promise<SecretJson> {
  const name = freshName();
  await here.stack.kube.createSecret(here.namespace, nativeSecret(name, first, more));
  const adopted = await here.secrets.update(name, { description: 'live' });
  if (then === undefined) return adopted;
  const { data } = nativeSecret(name, then) as { data: Record<string, string> };
  const current = await native(name);
  await here.stack.kube.replaceSecret(here.namespace, { ...current, data });
  return here.secrets.read(name);
}

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
    const shared = {
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

describe('POST …/restore', () => {
  it('replaces data by the raw bytes of the snapshot, text and binary alike, as a new version', async () => {
    const values = [
      ['text', '\ufeffä\r\n'],
      ['binary', Uint8Array.of(0, 0xff)],
      ['empty', ''],
      ['__proto__', 'own'],
    ] as const;
    const secret = await seeded(values, { other: 'x' });
    const restored = secretOf(await restore(secret, 1));
    expect(restored).toMatchObject({
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
    expect(secretOf(await restore(secret, 1))).toMatchObject({ keys: [], data: {}, binaryData: {} });
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
      'service.io/version': '3',
      'service.io/last-modified-by': 'admin@example.com',
      'service.io/last-modified-at': restored.lastModifiedAt,
    });
  });

  it('archives the current state first, so that a restore can be undone', async () => {
    const name = freshName();
    await here.secrets.create(name, { data: { a: 'one' } });
    const second = await here.secrets.update(name, { data: { a: 'two' } });
    const third = secretOf(await restore(second, 1));
    expect((await listVersions(name)).versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(secretOf(await restore(third, 2))).toMatchObject({ version: 4, data: { a: 'two' } });
  });

  it('onto an immutable Secret takes identical data only', async () => {
    const secret = await seeded({ a: '1' }, undefined, { immutable: true });
    expect(secretOf(await restore(secret, 1))).toMatchObject({ version: 3, immutable: true });
    const mutable = await seeded({ a: '1' }, { a: '2' });
    await here.stack.kube.patchSecret(here.namespace, mutable.name, { immutable: true });
    expect(await refused(422, await here.secrets.read(mutable.name), 1)).toMatch(/immutable/);
  });

  it('a snapshot of another type answers 422', async () => {
    const secret = await seeded({ a: '1' }, undefined, { type: 'example.com/one' });
    const { metadata, data } = await native(secret.name);
    const annotations = { ...metadata.annotations };
    const former = (
      await here.stack.kube.listSecrets(here.namespace, `service.io/history-uid=${metadata.uid ?? ''}`)
    )[0];
    if (former === undefined) throw new Error('there should be a snapshot');
    await here.stack.kube.patchSecret(here.namespace, former.metadata.name, {
      metadata: { annotations: { 'service.io/history-type': 'example.com/two' } },
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
    ['data', { data: {} }],
    ['binaryData', { binaryData: {} }],
    ['an unknown field', { description: 'd' }],
    ['recoverCounter that is no boolean', { recoverCounter: 1 }],
  ])('%s answers 400', async (_what, more) => {
    await refused(400, await here.secrets.createWithHistory(freshName(), 1), 1, more);
  });

  it('a terminating Secret can be restored; it stays terminating', async () => {
    const secret = await seeded({ a: '1' }, { a: '2' }, { metadata: { finalizers: ['example.com/hold'] } });
    await here.stack.kube.deleteSecret(here.namespace, secret.name);
    const restored = secretOf(await restore(await here.secrets.read(secret.name), 1));
    expect(restored.data).toEqual({ a: '1' });
    expect(restored.deletionTimestamp).toMatch(RFC_3339_UTC);
    await here.stack.kube.patchSecret(here.namespace, secret.name, { metadata: { finalizers: null } });
  });

  it('after a collision takes recoverCounter from admins only', async () => {
    const { name } = await here.secrets.createWithHistory(freshName(), 1);
    await here.stack.kube.patchSecret(here.namespace, name, {
      metadata: { annotations: { 'service.io/version': '1' } },
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
        const restored = secretOf(await restore(await here.secrets.read(name), 1));
        expect(await stored()).toEqual(wanted);
        expect(Object.entries(restored.data)).toEqual(Object.entries(detail.data));
        expect(Object.entries(restored.binaryData)).toEqual(Object.entries(detail.binaryData));
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
