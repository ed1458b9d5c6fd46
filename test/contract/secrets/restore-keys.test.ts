import { describe, expect, it } from 'vitest';
import { errorOf, secretOf, type SecretJson } from '../../harness/answers.ts';
import { stateOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { restoresIn } from './restores.ts';

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const MIB = 1_048_576;

const here = openNamespaceFixture();
const { native } = here;
const { restore, seeded } = restoresIn(here);

const stored = async (name: string) => new Map(Object.entries((await native(name)).data ?? {}));
const base64 = (value: Uint8Array | string) => Buffer.from(value).toString('base64');

async function refused(status: number, secret: SecretJson, more: object): Promise<string> {
  const before = await stateOf(here.stack.kube, here.namespace);
  const error = errorOf(await restore(secret, 1, more), status);
  expect(await stateOf(here.stack.kube, here.namespace), 'nothing was written').toEqual(before);
  return error;
}

describe('POST …/restore with keys', () => {
  it('gives those alone the bytes of the version, or removes them where it has none; the others stay', async () => {
    const secret = await seeded(
      [
        ['text', 'old'],
        ['binary', EVERY_BYTE],
        ['__proto__', Uint8Array.of(0xff)],
        ['other', 'old'],
      ],
      [
        ['text', 'new'],
        ['added', Uint8Array.of(0)],
        ['other', 'new'],
        ['kept', Uint8Array.of(1)],
      ],
    );
    const after = secretOf(await restore(secret, 1, { keys: ['text', 'binary', '__proto__', 'added'] }));
    expect(after).toMatchObject({ version: 3, keyCount: 5 });
    expect(await stored(secret.name)).toEqual(
      new Map([
        ['text', base64('old')],
        ['binary', base64(EVERY_BYTE)],
        ['__proto__', '/w=='],
        ['other', base64('new')],
        ['kept', 'AQ=='],
      ]),
    );
  });

  it.each<[string, unknown]>([
    ['none', []],
    ['one twice', ['a', 'a']],
    ['an invalid one', ['..']],
    ['a number', [1]],
    ['no list', 'a'],
    ['null', null],
  ])('that are %s answers 400, and writes nothing', async (_what, keys) => {
    await refused(400, await seeded({ a: '1' }, { a: '2' }), { keys });
  });

  it('that neither the version nor the Secret has answers 422, and writes nothing', async () => {
    const secret = await seeded({ a: '1' }, { b: '2' });
    for (const keys of [['c'], ['a', 'b', '__proto__'], ['toString']]) {
      expect(await refused(422, secret, { keys })).toMatch(/neither this version nor the Secret has/);
    }
  });

  it('holds size, type rules and immutability for the merged values', async () => {
    const large = await seeded({ a: Buffer.alloc(MIB / 2) }, { b: Buffer.alloc(MIB / 2 + 1) });
    await refused(413, large, { keys: ['a'] });
    const type = 'kubernetes.io/basic-auth';
    const login = await seeded({ username: 'a' }, { password: 'b' }, { type });
    expect(await refused(422, login, { keys: ['password'] })).toMatch(/basic-auth/);
    secretOf(await restore(login, 1, { keys: ['password', 'username'] }));
    const fixed = await here.secrets.createWithHistory(here.freshName(), 1);
    await here.stack.kube.patchSecret(here.namespace, fixed.name, { immutable: true });
    expect(await refused(422, await here.secrets.read(fixed.name), { keys: ['key'] })).toMatch(/immutable/);
  });
});
