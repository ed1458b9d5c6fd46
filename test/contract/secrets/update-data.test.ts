import { describe, expect, it } from 'vitest';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { PLANTED, updatesIn } from './updates.ts';

const MIB = 1_048_576;

const here = openNamespaceFixture();
const { native } = here;
const { create, refused, seeded, updated } = updatesIn(here);

describe('data', () => {
  it('when supplied, it replaces the entire map', async () => {
    const secret = await create({ data: { a: '1', b: '2' } });
    expect(await updated(secret, { data: { b: '3', c: '' } })).toMatchObject({
      data: { b: '3', c: '' },
      keys: ['b', 'c'],
    });
  });

  it('{} clears a mutable text Secret', async () => {
    const secret = await create({ data: { a: '1' } });
    expect(await updated(secret, { data: {} })).toMatchObject({ data: {}, keyCount: 0 });
    expect((await native(secret.name)).data ?? {}).toEqual({});
  });

  it('omitted keeps all stored bytes, text and binary alike', async () => {
    const values = [
      ['text', '\ufeffä\r\n'],
      ['__proto__', Uint8Array.of(0, 1, 0xff)],
      ['empty', ''],
      ['all', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
    ] as const;
    const secret = await seeded(values);
    const before = (await native(secret.name)).data;
    await updated(secret, { description: 'd' });
    expect(Object.entries((await native(secret.name)).data ?? {})).toEqual(Object.entries(before ?? {}));
  });

  it('sent back as it was read, it keeps every byte', async () => {
    const secret = await seeded({
      bom: '\ufeffx',
      replacement: '\ufffd',
      lines: 'a\r\nb\n',
      empty: '',
      wide: '😀',
    });
    const before = (await native(secret.name)).data;
    const { data } = await here.secrets.read(secret.name);
    await updated(secret, { data });
    expect((await native(secret.name)).data).toEqual(before);
  });

  it('a Secret with binary values rejects any replacement with 422', async () => {
    const secret = await seeded({ text: 'a', binary: Uint8Array.of(0) });
    for (const data of [{}, { text: 'a' }, { text: 'a', binary: 'AA==' }, { binary: PLANTED }]) {
      expect(await refused(422, secret, { data })).toMatch(/binary values/);
    }
  });

  it('a Secret with binary values takes changes of its metadata', async () => {
    const secret = await seeded({ binary: Uint8Array.of(0, 0xff) });
    const after = await updated(secret, { description: 'd' });
    expect(after).toMatchObject({ binaryData: { binary: 'AP8=' }, version: 2, description: 'd' });
  });

  it('may be exactly 1 MiB; one byte more answers 413 before any snapshot or write', async () => {
    const secret = await create({ data: {} });
    const largest = 'x'.repeat(MIB);
    await refused(413, secret, { data: { a: largest, b: 'x' } });
    await updated(secret, { data: { a: largest, b: '' } });
  });
});

describe('an immutable Secret', () => {
  const values = { a: '1', b: 'ä' };
  const immutable = () => seeded(values, { immutable: true });

  it('accepts metadata-only updates', async () => {
    const secret = await immutable();
    expect(await updated(secret, { description: 'd', allowedGroups: ['g'] })).toMatchObject({
      immutable: true,
      version: 2,
    });
  });

  it('accepts byte-identical data, in any order', async () => {
    const secret = await immutable();
    expect(await updated(secret, { data: { b: 'ä', a: '1' } })).toMatchObject({ version: 2, data: values });
  });

  it.each<[string, object]>([
    ['an addition', { ...values, c: '' }],
    ['a removal', { a: '1' }],
    ['a changed value', { ...values, b: 'a\u0308' }],
    ['a renamed key', { a: '1', c: 'ä' }],
    ['no data', {}],
  ])('%s answers 422 before snapshots or writes', async (_what, data) => {
    expect(await refused(422, await immutable(), { data })).toMatch(/immutable/);
  });

  it('stays immutable', async () => {
    const secret = await immutable();
    await updated(secret, { description: 'd' });
    expect((await native(secret.name)).immutable).toBe(true);
  });
});
