import { describe, expect, it } from 'vitest';
import { errorOf, secretOf, versionsOf, type SecretJson } from '../../harness/answers.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { PLANTED, updatesIn } from './updates.ts';

const MIB = 1_048_576;
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LONGEST = 'k'.repeat(253);
const HOSTILE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '.dockercfg', '-rf', LONGEST];

const here = openNamespaceFixture();
const { native, freshName } = here;
const { create, seeded } = updatesIn(here);

const base64 = (value: Uint8Array | string) => Buffer.from(value).toString('base64');
/** `JSON.stringify` keeps `__proto__` only as an own property. */
const mapOf = (entries: readonly (readonly [string, string])[]) => Object.fromEntries(entries);

const patch = ({ name, resourceVersion }: SecretJson, body: object) =>
  here.stack.admin.patch(here.secrets.path(name), { resourceVersion, ...body });
const patched = async (secret: SecretJson, body: object) => secretOf(await patch(secret, body));
const stored = async (name: string) => new Map(Object.entries((await native(name)).data ?? {}));

async function refused(status: number, secret: SecretJson, body: object): Promise<string> {
  const before = await stateOf(here.stack.kube, here.namespace);
  const error = errorOf(await patch(secret, body), status);
  expect(error).not.toContain(PLANTED);
  expect(await stateOf(here.stack.kube, here.namespace), 'nothing was written').toEqual(before);
  return error;
}

describe('PATCH …/:name', () => {
  it('sets, replaces and removes the keys that it names; all others keep their bytes, binary ones too', async () => {
    const secret = await seeded([
      ['text', 'ä'],
      ['gone', '1'],
      ['binary', EVERY_BYTE],
      ['__proto__', Uint8Array.of(0xff)],
    ]);
    const before = await stored(secret.name);
    const answer = await patched(secret, {
      set: { text: 'ö\r\n', more: '' },
      setBinary: { key: base64(Uint8Array.of(0, 1)) },
      remove: ['gone'],
    });
    expect(answer).toMatchObject({ version: 2, binaryKeys: ['__proto__', 'binary', 'key'], keyCount: 5 });
    expect(await stored(secret.name)).toEqual(
      new Map([
        ...[...before].filter(([key]) => key !== 'gone'),
        ['text', base64('ö\r\n')],
        ['more', ''],
        ['key', 'AAE='],
      ]),
    );
  });

  it('answers the summary, never a value', async () => {
    const secret = await seeded({ a: PLANTED, b: Uint8Array.of(0) });
    const answer = await patch(secret, { set: { c: `${PLANTED} 2` }, description: 'words' });
    const { data: _data, binaryData: _binary, ...summary } = await here.secrets.read(secret.name);
    expect(answer.json).toEqual({ secret: summary });
    expect(answer.text).not.toContain(PLANTED);
  });

  it('stores every byte value, nothing, and hostile keys, as they are sent', async () => {
    const secret = await create({ data: { text: 'beside' } });
    const setBinary = mapOf([
      ['every-byte', base64(EVERY_BYTE)],
      ['empty', ''],
      ...HOSTILE.map((key) => [key, base64(`\0${key}`)] as const),
    ]);
    const { name } = await patched(secret, { setBinary });
    expect(await stored(name)).toEqual(new Map([...Object.entries(setBinary), ['text', base64('beside')]]));
    const texts = mapOf(HOSTILE.map((key) => [key, `text of ${key}`] as const));
    await patched(await here.secrets.read(name), { set: texts, remove: ['every-byte', 'empty'] });
    expect(new Map(Object.entries((await here.secrets.read(name)).data))).toEqual(
      new Map([...Object.entries(texts), ['text', 'beside']]),
    );
    await patched(await here.secrets.read(name), { remove: HOSTILE });
    expect([...(await stored(name)).keys()]).toEqual(['text']);
  });

  it('takes 1 MiB of all values together; one byte more, stored ones counted, answers 413', async () => {
    const secret = await create({ data: { kept: 'x', replaced: 'y'.repeat(1_000) } });
    const rest = Buffer.alloc(MIB - 1, EVERY_BYTE);
    await refused(413, secret, { setBinary: { replaced: base64(Buffer.alloc(MIB)) } });
    await refused(413, secret, { set: { replaced: 'x'.repeat(MIB) } });
    const { name } = await patched(secret, { setBinary: { replaced: base64(rest) } });
    expect((await stored(name)).get('replaced')).toBe(base64(rest));
    expect((await stored(name)).get('kept')).toBe(base64('x'));
  });

  it('of the description alone is a change, and keeps all bytes', async () => {
    const secret = await seeded({ a: '1', b: EVERY_BYTE });
    const before = await stored(secret.name);
    expect(await patched(secret, { description: '' })).toMatchObject({ version: 2, description: '' });
    expect(await patched(await here.secrets.read(secret.name), { set: {}, description: 'd' })).toMatchObject({
      version: 3,
      description: 'd',
    });
    expect(await stored(secret.name)).toEqual(before);
  });

  it.each<[string, object]>([
    ['names nothing', {}],
    ['has nothing in its fields', { set: {}, setBinary: {}, remove: [] }],
    ['names a key in set and setBinary', { set: { a: '' }, setBinary: { a: '' } }],
    ['names a key in set and remove', { set: { a: '' }, remove: ['a'] }],
    ['names a key in setBinary and remove', { setBinary: { a: '' }, remove: ['a'] }],
    ['removes a key twice', { remove: ['a', 'a'] }],
    ['sets an invalid key', { set: { '..a': '' } }],
    ['sets bytes under an invalid key', { setBinary: { 'a b': '' } }],
    ['removes an invalid key', { remove: ['.'] }],
    ['sets a binary control', { set: { a: `${PLANTED}\0` } }],
    ['sets a lone surrogate', { set: { a: '\ud800' } }],
    ['sets no text', { set: { a: 1 } }],
    ['sets a list', { set: ['a'] }],
    ['removes no text', { remove: [1] }],
    ['removes an object', { remove: { a: true } }],
    ['has no revision', { resourceVersion: undefined, set: { a: '' } }],
    ['has a blank revision', { resourceVersion: ' ', set: { a: '' } }],
    ['has binaryData', { set: { b: '' }, binaryData: { a: '' } }],
    ['has data', { data: { a: PLANTED } }],
    ['has stringData', { stringData: { a: PLANTED } }],
    ['has access rules', { set: { b: '' }, allowedGroups: [] }],
    ['recovers the counter', { set: { b: '' }, recoverCounter: true }],
    ['has a long description', { description: 'x'.repeat(4_097) }],
  ])('that %s answers 400, and writes nothing', async (_what, body) => {
    await refused(400, await create({ data: { a: '1' } }), body);
  });

  it.each([
    'A',
    'AA',
    'AAA',
    'AAAA=',
    'AA==\n',
    ' AA==',
    'AB==',
    'AAB=',
    'AP_-',
    'A-==',
    '=',
    '====',
    'ä',
    'AA==AA==',
  ])('takes canonical base64 only: "%s" answers 400', async (text) => {
    const error = await refused(400, await create({}), { setBinary: { a: text } });
    expect(error).toBe('setBinary: values must be canonical base64 (RFC 4648, section 4)');
  });

  it('that removes a key that is not there answers 422, and writes nothing', async () => {
    const secret = await seeded({ a: '1' });
    for (const remove of [['b'], ['a', '__proto__'], ['constructor']]) {
      expect(await refused(422, secret, { remove, set: { c: PLANTED } })).toMatch(/^remove names a key/);
    }
  });

  it('holds the rules of the type for the merged values', async () => {
    const tls = await seeded({ 'tls.crt': 'c', 'tls.key': Uint8Array.of(0) }, { type: 'kubernetes.io/tls' });
    expect(await refused(422, tls, { remove: ['tls.key'] })).toMatch(/tls/);
    const changed = await patched(tls, { set: { 'tls.crt': '', more: 'x' } });
    expect(changed.keys).toEqual(['more', 'tls.crt', 'tls.key']);
    const docker = await seeded({ '.dockerconfigjson': '{}' }, { type: 'kubernetes.io/dockerconfigjson' });
    await refused(422, docker, { setBinary: { '.dockerconfigjson': base64('[') } });
    await patched(docker, { setBinary: { '.dockerconfigjson': base64('{"auths":{}}') } });
    const token = await seeded({}, { type: 'platform.io/service-account-token' });
    await refused(422, token, { description: 'd' });
  });

  it('of an immutable Secret is held to what PUT is', async () => {
    const secret = await seeded({ a: '1', b: Uint8Array.of(0) }, { immutable: true });
    for (const body of [
      { set: { a: '2' } },
      { set: { c: '' } },
      { remove: ['a'] },
      { setBinary: { b: 'AQ==' } },
    ]) {
      expect(await refused(422, secret, body)).toMatch(/immutable/);
    }
    expect(await patched(secret, { description: 'd' })).toMatchObject({ version: 2, immutable: true });
  });

  it('to equal values is a write like any other, so that writing never shows what is stored', async () => {
    const secret = await create({ data: { a: PLANTED } });
    const same = await patched(secret, { set: { a: PLANTED } });
    const other = await patched(same, { set: { a: `${PLANTED} 2` } });
    const shape = ({
      resourceVersion: _revision,
      lastModifiedAt: _at,
      version: _version,
      ...rest
    }: SecretJson) => rest;
    expect(shape(same)).toEqual(shape(other));
    expect([same.version, other.version]).toEqual([2, 3]);
    expect(await here.secrets.versions(secret.name)).toEqual([2, 1]);
  });

  it('archives the state before, with the same history as an update', async () => {
    const secret = await seeded({ a: '1', b: EVERY_BYTE });
    await patched(secret, { set: { a: '2' } });
    const listed = versionsOf(await here.stack.admin.get(here.secrets.path(secret.name, '/versions')));
    expect(listed).toMatchObject({
      version: 2,
      versions: [
        { version: 1, resourceVersion: secret.resourceVersion, keys: ['a', 'b'], binaryKeys: ['b'] },
      ],
      changes: { added: [], changed: ['a'], removed: [] },
    });
  });

  it('under another revision answers 409, and of two at once one wins', async () => {
    const secret = await create({ data: { a: '1' } });
    expect(await refused(409, { ...secret, resourceVersion: '0' }, { set: { a: '2' } })).toMatch(/reload/);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => patch(secret, { set: { [`k${index}`]: String(index) } })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await here.secrets.read(secret.name)).data).toEqual({ a: '1', [`k${winner}`]: String(winner) });
    expect(await here.secrets.versions(secret.name)).toEqual([1]);
  });

  it('adopts a Secret that was created outside the service, and keeps what is foreign', async () => {
    const name = freshName();
    const labels = { app: 'x' };
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret(name, { a: '1' }, { metadata: { labels, annotations: { 'example.com/a': 'b' } } }),
    );
    const answer = await patched(await here.secrets.read(name), { set: { b: '2' } });
    expect(answer).toMatchObject({ managedByService: true, version: 2, lastModifiedBy: 'admin@example.com' });
    const { metadata } = await native(name);
    expect([metadata.labels, metadata.annotations?.['example.com/a']]).toEqual([labels, 'b']);
  });
});

describe('binary values beside PUT and POST', () => {
  it('PUT still refuses to replace a Secret with binary values, and the fields of PATCH', async () => {
    const secret = await patched(await create({ data: {} }), { setBinary: { b: 'AA==' } });
    const put = (body: object) =>
      here.stack.admin.put(here.secrets.path(secret.name), {
        resourceVersion: secret.resourceVersion,
        ...body,
      });
    expect(errorOf(await put({ data: { b: 'x' } }), 422)).toMatch(/binary values/);
    for (const field of ['set', 'setBinary', 'remove']) {
      expect(errorOf(await put({ [field]: {} }), 400)).toBe(`Unknown field ${field}`);
    }
    expect(errorOf(await put({ binaryData: {} }), 400)).toBe('binaryData is read-only');
  });

  it('POST takes setBinary beside data and stringData, byte for byte', async () => {
    const setBinary = mapOf([
      ['every-byte', base64(EVERY_BYTE)],
      ['__proto__', 'AAE='],
      ['text', base64('ä')],
    ]);
    const name = freshName();
    const body = { name, data: { a: '1' }, stringData: { b: '2' }, setBinary };
    const created = secretOf(await here.stack.admin.post(here.secrets.path(), body), 201);
    expect(created).toMatchObject({ keyCount: 5, binaryKeys: ['__proto__', 'every-byte'] });
    expect(await stored(name)).toEqual(
      new Map([...Object.entries(setBinary), ['a', base64('1')], ['b', base64('2')]]),
    );
  });

  it.each<[string, number, object]>([
    ['a key of data', 400, { data: { a: '' }, setBinary: { a: '' } }],
    ['a key of stringData', 400, { stringData: { a: '' }, setBinary: { a: '' } }],
    ['an invalid key', 400, { setBinary: { '..': '' } }],
    ['base64 that is not canonical', 400, { setBinary: { a: 'AB==' } }],
    ['binaryData as well', 400, { setBinary: { a: '' }, binaryData: {} }],
    ['more than 1 MiB together', 413, { data: { a: 'x' }, setBinary: { b: base64(Buffer.alloc(MIB)) } }],
    [
      'bytes that do not fit the type',
      422,
      { type: 'kubernetes.io/dockercfg', setBinary: { '.dockercfg': 'AA==' } },
    ],
  ])('POST with %s in setBinary answers %i, and creates nothing', async (_what, status, body) => {
    const name = freshName();
    errorOf(await here.stack.admin.post(here.secrets.path(), { name, ...body }), status);
    expect(await here.stack.kube.getSecret(here.namespace, name)).toBeUndefined();
  });
});
