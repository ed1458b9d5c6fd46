import { describe, expect, it } from 'vitest';
import { secretOf, versionOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath, snapshotNameOf } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';

const here = openNamespaceFixture();

/** Keys that every JavaScript object seems to have already. */
const INHERITED_KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

describe('text and binary', () => {
  const BINARY_CONTROLS = [...range(0x00, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1f), 0x7f];

  it('every single byte is text or binary by the rule, and neither form changes it', async () => {
    const bytes = range(0x00, 0xff).map((byte) => [`b${byte}`, Uint8Array.of(byte)] as const);
    await here.stack.kube.createSecret(here.namespace, nativeSecret('single-bytes', bytes));
    const { data, binaryData, keys, keyCount, binaryKeys } = await here.secrets.read('single-bytes');
    const isText = (byte: number) => byte < 0x80 && !BINARY_CONTROLS.includes(byte);
    for (const byte of range(0x00, 0xff)) {
      const [text, base64] = [data[`b${byte}`], binaryData[`b${byte}`]];
      const expected = isText(byte) ? [String.fromCharCode(byte), undefined] : [undefined, base64Of([byte])];
      expect([text, base64], `byte ${byte}`).toEqual(expected);
    }
    expect(keyCount).toBe(256);
    expect(keys.toSorted()).toEqual(bytes.map(([key]) => key).toSorted());
    expect(binaryKeys.toSorted()).toEqual(Object.keys(binaryData).toSorted());
  });

  it.each<[string, readonly number[], string]>([
    ['the empty value', [], ''],
    ['tab, CR and LF', [0x09, 0x0d, 0x0a], '\t\r\n'],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
    ['a byte order mark alone', [0xef, 0xbb, 0xbf], '\ufeff'],
    ['a literal replacement character', [0xef, 0xbf, 0xbd], '\ufffd'],
    ['U+0080, the first character of two bytes', [0xc2, 0x80], '\u0080'],
    ['U+0085, a C1 control', [0xc2, 0x85], '\u0085'],
    ['U+2028, which is no line break in JSON', [0xe2, 0x80, 0xa8], '\u2028'],
    ['U+D7FF, the last before the surrogates', [0xed, 0x9f, 0xbf], '\ud7ff'],
    ['U+FFFF, a noncharacter', [0xef, 0xbf, 0xbf], '\uffff'],
    ['U+10FFFF, the last character', [0xf4, 0x8f, 0xbf, 0xbf], '\u{10ffff}'],
  ])('%s is text', async (what, bytes, text) => {
    const name = await stored(what, bytes);
    expect(await here.secrets.read(name)).toMatchObject({
      data: { value: text },
      binaryData: {},
      binaryKeys: [],
    });
  });

  it.each<[string, readonly number[]]>([
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong slash', [0xe0, 0x80, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an encoded surrogate pair', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a truncated character', [0x61, 0xe2, 0x82]],
    ['a lone continuation byte', [0x61, 0xbf]],
    ['UTF-16 with its byte order mark', [0xff, 0xfe, 0x61, 0x00]],
    ['text with one NUL at its end', [0x61, 0x62, 0x00]],
    ['text with one DEL', [0x61, 0x7f, 0x62]],
  ])('%s is binary', async (what, bytes) => {
    const name = await stored(what, bytes);
    expect(await here.secrets.read(name)).toMatchObject({
      data: {},
      binaryData: { value: base64Of(bytes) },
      binaryKeys: ['value'],
      keys: ['value'],
      keyCount: 1,
    });
  });

  async function stored(what: string, bytes: readonly number[]): Promise<string> {
    const name = what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { value: Uint8Array.from(bytes) }));
    return name;
  }
});

describe('keys', () => {
  it.each(INHERITED_KEYS)(
    '%s is an ordinary key through create, update, snapshot, versions and restore',
    async (key) => {
      const name = `key-${key
        .toLowerCase()
        .replaceAll('_', '-')
        .replaceAll(/^-+|-+$/g, '')}`;
      const path = secretsPath(here.namespace, name);
      const body = (fields: string) => ({ body: fields, headers: { 'content-type': 'application/json' } });
      const create = await here.stack.admin.send(
        'POST',
        secretsPath(here.namespace),
        body(`{"name":"${name}","data":{"${key}":"first","other":"kept"}}`),
      );
      const created = secretOf(create, 201);
      expect(created.keys).toEqual([key, 'other'].sort());
      expect(await valuesInCluster(name)).toEqual(valueList({ [key]: 'first', other: 'kept' }));

      const updated = secretOf(
        await here.stack.admin.send(
          'PUT',
          path,
          body(
            `{"resourceVersion":"${created.resourceVersion}","data":{"other":"changed","${key}":"second"}}`,
          ),
        ),
      );
      expect(Object.entries(updated.data).sort()).toEqual(
        [
          [key, 'second'],
          ['other', 'changed'],
        ].sort(),
      );

      const uid = (await here.stack.kube.getSecret(here.namespace, name))?.metadata.uid ?? '';
      const archived = snapshotNameOf(name, 1, uid);
      expect(await valuesInCluster(archived)).toEqual(valueList({ [key]: 'first', other: 'kept' }));
      const version = versionOf(await here.stack.admin.get(`${path}/versions/1`));
      expect(Object.entries(version.data).sort()).toEqual(
        [
          [key, 'first'],
          ['other', 'kept'],
        ].sort(),
      );

      const restore = { resourceVersion: updated.resourceVersion, version: 1 };
      const restored = secretOf(await here.stack.admin.post(`${path}/restore`, restore));
      expect(Object.entries(restored.data).sort()).toEqual(
        [
          [key, 'first'],
          ['other', 'kept'],
        ].sort(),
      );
      expect(await valuesInCluster(name)).toEqual(valueList({ [key]: 'first', other: 'kept' }));
    },
  );

  it('an inherited key that is not there is not there', async () => {
    await here.stack.kube.createSecret(here.namespace, nativeSecret('no-inherited-keys', { a: 'b' }));
    const detail = await here.secrets.read('no-inherited-keys');
    expect([detail.keys, Object.keys(detail.data), Object.keys(detail.binaryData)]).toEqual([
      ['a'],
      ['a'],
      [],
    ]);
  });

  it('inherited keys hold binary values as well', async () => {
    const values = INHERITED_KEYS.map((key, index) => [key, Uint8Array.of(0xff, index)] as const);
    await here.stack.kube.createSecret(here.namespace, nativeSecret('binary-inherited', values));
    const { binaryData, binaryKeys, data } = await here.secrets.read('binary-inherited');
    expect(Object.entries(binaryData).sort()).toEqual(
      values.map(([key, bytes]) => [key, base64Of(bytes)]).sort(),
    );
    expect([binaryKeys.toSorted(), Object.keys(data)]).toEqual([INHERITED_KEYS.toSorted(), []]);
  });

  it('keys are 1 to 253 characters from letters, digits, dot, underscore and dash', async () => {
    const keys = ['a', 'Z', '0', '_', '-', '.a', 'x'.repeat(253), 'tls.crt', '-._', 'a..b'];
    const data = Object.fromEntries(keys.map((key) => [key, key]));
    const created = secretOf(
      await here.stack.admin.post(secretsPath(here.namespace), { name: 'all-keys', data }),
      201,
    );
    expect(created.keys.toSorted()).toEqual(keys.toSorted());
    expect(await valuesInCluster('all-keys')).toEqual(valueList(data));
  });

  async function valuesInCluster(name: string): Promise<readonly (readonly [string, string])[]> {
    const native = await here.stack.kube.getSecret(here.namespace, name);
    const entries = Object.entries(native?.data ?? {});
    return entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const).sort();
  }
});

function valueList(values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(values).sort();
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function base64Of(bytes: Iterable<number>): string {
  return Buffer.from(Uint8Array.from(bytes)).toString('base64');
}
