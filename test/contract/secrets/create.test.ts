import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { createsIn, PLANTED } from './creates.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const MIB = 1_048_576;

const here = openNamespaceFixture();
const { freshName, native } = here;
const { annotationsOf, create, created, refused, sendJson } = createsIn(here);

describe('what is stored', () => {
  it('create sets managed-by, version 1 and the last edit, and answers the summary', async () => {
    const secret = await created({ data: { a: '1' } });
    expect(secret).toMatchObject({ managedByService: true, version: 1, keys: ['a'] });
    expect(await annotationsOf(secret.name)).toEqual({
      [annotation('managed-by')]: 'service',
      [annotation('version')]: '1',
      [annotation('allowed-groups')]: '',
      [annotation('allowed-users')]: '',
      [annotation('last-modified-by')]: 'admin@example.com',
      [annotation('last-modified-at')]: secret.lastModifiedAt,
    });
  });

  it('a body with a name alone makes an empty Opaque Secret', async () => {
    const { name } = await created({});
    const { type, data, immutable } = await native(name);
    expect([type, data ?? {}, immutable]).toEqual(['Opaque', {}, undefined]);
  });

  it('an empty type defaults to Opaque', async () => {
    expect((await created({ type: '' })).type).toBe('Opaque');
  });

  it('values are plain text, not base64, and reach the cluster as their UTF-8 bytes', async () => {
    const { name } = await created({
      data: { plain: 'aGVsbG8=', unicode: 'ä€😀\ufeff\ufffd', empty: '', lines: 'a\r\n\tb' },
    });
    const texts = Object.entries((await native(name)).data ?? {}).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ]);
    expect(Object.fromEntries(texts)).toEqual({
      plain: 'aGVsbG8=',
      unicode: 'ä€😀\ufeff\ufffd',
      empty: '',
      lines: 'a\r\n\tb',
    });
  });

  it('stringData is merged into data and wins on overlapping keys', async () => {
    const { name, keys } = await created({
      data: { a: 'data', b: 'data' },
      stringData: { b: 'string', c: 'string' },
    });
    expect(keys).toEqual(['a', 'b', 'c']);
    const { data } = secretOf(await here.stack.admin.get(secretsPath(here.namespace, name)));
    expect(data).toEqual({ a: 'data', b: 'string', c: 'string' });
  });

  it('the longest name, with every allowed character, is taken', async () => {
    const name = `0-a.${'x'.repeat(249)}`;
    expect((await created({ name })).name).toBe(name);
  });

  it('a name that exists answers 409 and leaves the Secret as it is', async () => {
    const { name } = await created({ data: { a: '1' } });
    expect(await refused(409, () => create({ name, data: { a: PLANTED } }))).toBe(
      'A Secret with this name exists already',
    );
  });

  it('a namespace that does not exist answers 404', async () => {
    const answer = await here.stack.admin.post(secretsPath(`no-${here.namespace}`), { name: 'a' });
    expect(errorOf(answer, 404)).toBe('Namespace not found');
  });

  it('of a field that is given twice the last one counts, as JSON parsers read it', async () => {
    const name = freshName();
    const secret = secretOf(await sendJson(`{"name":"lost","name":"${name}","data":{"a":"1","a":"2"}}`), 201);
    expect(secret.name).toBe(name);
    expect(secretOf(await here.stack.admin.get(secretsPath(here.namespace, name))).data).toEqual({ a: '2' });
  });
});

describe('budgets', () => {
  /** Where large Secrets go, so that comparing the state of the other namespace stays quick. */
  let spacious: string;
  beforeAll(async () => {
    spacious = await here.stack.namespace();
  });

  it('all values together may be exactly 1 MiB of UTF-8', async () => {
    const data = { a: 'x'.repeat(MIB / 2), b: 'ä'.repeat(MIB / 4) };
    const secret = await created({ data }, spacious);
    expect(secret.keyCount).toBe(2);
  });

  it('one byte more answers 413 before any write', async () => {
    const data = { a: 'x'.repeat(MIB / 2), b: `${'ä'.repeat(MIB / 4)}x` };
    expect(await refused(413, () => create({ data }))).toContain('1,048,576 bytes');
  });

  it('JSON escaping does not count', async () => {
    const escaped = '\\u0041'.repeat(MIB);
    const fits = await sendJson(`{"name":"escaped","data":{"a":"${escaped}"}}`, spacious);
    expect(secretOf(fits, 201).keyCount).toBe(1);
    await refused(413, () => sendJson(`{"name":"too-large","data":{"a":"${escaped}\\n"}}`));
  });

  it('keys do not count', async () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`.padEnd(253, 'k'), '']));
    expect((await created({ data: { ...data, a: 'x'.repeat(MIB) } }, spacious)).keyCount).toBe(101);
  });

  it('the budget is measured after the merge', async () => {
    const half = 'x'.repeat((MIB / 4) * 3);
    expect((await created({ data: { a: half }, stringData: { a: half } }, spacious)).keyCount).toBe(1);
    await refused(413, () => create({ data: { a: half }, stringData: { b: half } }));
  });

  it('a description may be exactly 4 KiB; one byte more answers 400 before any write', async () => {
    await created({ description: 'é'.repeat(2_048) });
    const error = await refused(400, () => create({ description: `${'é'.repeat(2_048)}x` }));
    expect(error).toBe('description must be at most 4 KiB (4,096 bytes of UTF-8)');
  });
});
