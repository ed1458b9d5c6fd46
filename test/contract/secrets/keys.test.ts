import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, sessionCookie, type ApiAnswer } from '../../harness/api-client.ts';
import { annotation } from '../../harness/annotation.ts';
import { errorOf, secretOf, versionsOf } from '../../harness/answers.ts';
import { rawRequest } from '../../harness/raw-request.ts';
import { nativeSecret, snapshotNameOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';

const here = openNamespaceFixture();
const { freshName } = here;

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LONGEST = 'k'.repeat(253);

/** Keys that are safe nowhere but in a Map, and values of every kind, beside text. */
const VALUES: readonly (readonly [key: string, value: Uint8Array])[] = [
  ['text', Buffer.from('ä\r\n\ufeff')],
  ['every-byte', EVERY_BYTE],
  ['empty', new Uint8Array()],
  ['__proto__', Uint8Array.of(0, 1)],
  ['constructor', Buffer.from('constructor')],
  ['toString', Uint8Array.of(0xff)],
  ['.dockercfg', Buffer.from('{}')],
  ['-rf', Buffer.from('hyphen')],
  ['index.html', Buffer.from('<script>alert(1)</script>')],
  [LONGEST, Buffer.from('longest')],
];
const NAMES = new Map([
  ['.dockercfg', '_dockercfg'],
  ['-rf', '_rf'],
]);

let cookie: string;
beforeAll(async () => {
  cookie = await sessionCookie(ADMIN);
});

const keyPath = (name: string, key: string, version?: number) =>
  here.secrets.path(name, `${version === undefined ? '' : `/versions/${version}`}/keys/${key}`);

/** Not as text: bytes that are none would be replaced. */
async function bytesAt(path: string): Promise<{ readonly bytes: Uint8Array; readonly headers: Headers }> {
  const response = await fetch(`${here.stack.service.url}${path}`, { headers: { cookie } });
  expect(response.status).toBe(200);
  return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
}

const seeded = async (values: Parameters<typeof nativeSecret>[1] = VALUES, more: object = {}) => {
  const name = freshName();
  const { metadata } = await here.stack.kube.createSecret(
    here.namespace,
    nativeSecret(name, values, { metadata: more }),
  );
  return { name, resourceVersion: metadata.resourceVersion ?? '' };
};

/** As it is, for paths that `fetch` would tidy up. */
const raw = async (path: string): Promise<ApiAnswer> => {
  const { status, text } = await rawRequest(here.stack.service.url, { path, headers: { cookie } });
  return { status, text, headers: new Headers(), json: JSON.parse(text) };
};

describe('GET …/:name?values=false', () => {
  it('answers the summary: what the detail has, without its two maps', async () => {
    const { name } = await seeded();
    const { data, binaryData, ...summary } = await here.secrets.read(name);
    expect([Object.keys(data).length, Object.keys(binaryData).length]).toEqual([7, 3]);
    const described = await here.stack.admin.get(here.secrets.path(name, '?values=false'));
    expect(described.json).toEqual({ secret: summary });
    expect(secretOf(await here.stack.admin.get(here.secrets.path(name, '?values=true')))).toEqual({
      ...summary,
      data,
      binaryData,
    });
  });

  it.each([
    '?values=',
    '?values=False',
    '?values=0',
    '?values=false&values=false',
    '?values=true&values=false',
  ])('answers 400 to "%s"', async (query) => {
    const { name } = await seeded({ a: 'planted' });
    expect(errorOf(await here.stack.admin.get(here.secrets.path(name, query)), 400)).toMatch(
      /^values must be/,
    );
  });
});

describe('GET …/keys/:key', () => {
  it('answers the bytes as stored, as a download with a safe name', async () => {
    const { name, resourceVersion } = await seeded();
    for (const [key, value] of VALUES) {
      const { bytes, headers } = await bytesAt(keyPath(name, key));
      expect([key, Buffer.from(bytes).equals(value)]).toEqual([key, true]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${NAMES.get(key) ?? key}"`,
        'content-length': String(value.byteLength),
        'x-resource-version': resourceVersion,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
    }
  });

  it('answers 1 MiB', async () => {
    const value = Buffer.alloc(1_048_576, EVERY_BYTE);
    const { name } = await seeded({ large: value });
    expect(value.equals((await bytesAt(keyPath(name, 'large'))).bytes)).toBe(true);
  });

  it('answers 404 to a key that is absent, and to names that objects have without it', async () => {
    const { name } = await seeded({ a: '1' });
    for (const key of ['b', 'A', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(errorOf(await here.stack.admin.get(keyPath(name, key)), 404)).toBe('There is no such key');
    }
  });

  it.each([
    '.',
    '..',
    '..a',
    '%2e',
    '%2e%2e',
    '%2E%2E%2Fa',
    'a%2fb',
    'a%20b',
    '%c3%a4',
    '%00',
    'k'.repeat(254),
  ])('answers 400 to the invalid key "%s"', async (key) => {
    const { name } = await seeded({ a: '1' });
    for (const version of [undefined, 1]) {
      expect(errorOf(await raw(keyPath(name, key, version)), 400)).toMatch(/^keys must be/);
    }
  });

  it('checks visibility and access first', async () => {
    const { name } = await here.secrets.create(freshName(), { data: { a: '1' }, allowedGroups: ['team-b'] });
    await here.secrets.update(name, { description: 'archived' });
    for (const version of [undefined, 1]) {
      errorOf(await here.stack.developerA.get(keyPath(name, 'absent', version)), 403);
      errorOf(await here.stack.admin.get(keyPath('absent', 'a', version)), 404);
    }
    const { metadata } = await here.native(name);
    errorOf(await here.stack.admin.get(keyPath(snapshotNameOf(name, 1, metadata.uid ?? ''), 'a')), 404);
    errorOf(await here.stack.anonymous.get(keyPath(name, 'a')), 401);
  });

  it('answers HEAD with the headers of GET, and no body', async () => {
    const { name } = await seeded();
    const { headers } = await bytesAt(keyPath(name, 'every-byte'));
    const head = await here.stack.admin.send('HEAD', keyPath(name, 'every-byte'));
    expect([head.status, head.text]).toEqual([200, '']);
    const stable = (all: Headers) =>
      [...all].filter(([field]) => !['date', 'x-request-id', 'keep-alive', 'connection'].includes(field));
    expect(stable(head.headers)).toEqual(stable(headers));
    expect((await here.stack.admin.send('HEAD', keyPath(name, 'absent'))).status).toBe(404);
  });
});

describe('GET …/versions/:version/keys/:key', () => {
  it('answers the archived bytes, with the revision that the version archives', async () => {
    const { name } = await seeded();
    await here.secrets.update(name, { description: 'archived' });
    await here.stack.kube.patchSecret(here.namespace, name, { data: null });
    const { versions } = versionsOf(await here.stack.admin.get(here.secrets.path(name, '/versions')));
    for (const [key, value] of VALUES) {
      const { bytes, headers } = await bytesAt(keyPath(name, key, 1));
      expect([key, Buffer.from(bytes).equals(value)]).toEqual([key, true]);
      expect(headers.get('x-resource-version')).toBe(versions[0]?.resourceVersion);
      errorOf(await here.stack.admin.get(keyPath(name, key)), 404);
    }
  });

  it('answers 404 to a version that is not archived and to a key that it lacks, 400 to what is no version', async () => {
    const { name } = await here.secrets.createWithHistory(freshName(), 1);
    expect(errorOf(await here.stack.admin.get(keyPath(name, 'key', 2)), 404)).toBe(
      'This version is not archived',
    );
    expect(errorOf(await here.stack.admin.get(keyPath(name, 'other', 1)), 404)).toBe('There is no such key');
    errorOf(await here.stack.admin.get(keyPath(name, 'key', 0)), 400);
  });

  it('answers 404 to a version whose source revision is none: it could not be in a header', async () => {
    const { name } = await here.secrets.createWithHistory(freshName(), 2);
    const { uid = '' } = (await here.native(name)).metadata;
    for (const [version, text] of [
      [1, '5\n'],
      [2, 'ключ'],
    ] as const) {
      const annotations = { [annotation('history-resource-version')]: text };
      const snapshot = snapshotNameOf(name, version, uid);
      await here.stack.kube.patchSecret(here.namespace, snapshot, { metadata: { annotations } });
      expect(errorOf(await here.stack.admin.get(keyPath(name, 'key', version)), 404)).toBe(
        'This version is not archived',
      );
    }
    expect(versionsOf(await here.stack.admin.get(here.secrets.path(name, '/versions'))).versions).toEqual([]);
  });
});
