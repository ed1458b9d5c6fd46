import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { rawRequest, type RawAnswer } from '../../harness/raw-request.ts';
import { secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { sessionCookie, ADMIN } from '../../harness/api-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

const LIMIT = 16 * 1_048_576;
const PLANTED = 'planted-value';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The routes that read a body, below the collection. */
const WRITES = [
  ['POST', ''],
  ['PUT', '/live'],
  ['PATCH', '/live'],
  ['POST', '/live/restore'],
] as const;

let stack: Stack;
let namespace: string;
let cookie: string;
let resourceVersion: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await stack.namespace();
  cookie = await sessionCookie(ADMIN);
  const created = await stack.admin.post(secretsPath(namespace), { name: 'live', data: { a: '1' } });
  ({ resourceVersion } = secretOf(created, 201));
});
afterAll(() => stack.close());

/** A good body for each route. */
function goodBody(below: string): string {
  if (below === '') return `{"name":"created","data":{"a":"${PLANTED}"}}`;
  if (below === '/live') return `{"resourceVersion":"${resourceVersion}","description":"${PLANTED}"}`;
  return `{"resourceVersion":"${resourceVersion}","version":1}`;
}

describe.each(WRITES)('%s …/secrets%s', (method, below) => {
  const path = () => `${secretsPath(namespace)}${below}`;
  const send = (body: Uint8Array | string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
    stack.admin.send(method, path(), { body: typeof body === 'string' ? body : Buffer.from(body), headers });
  const refused = async (status: number, send: () => Promise<Parameters<typeof errorOf>[0]>) => {
    const before = await stateOf(stack.kube, namespace);
    const error = errorOf(await send(), status);
    expect(error).not.toContain(PLANTED);
    expect(await stateOf(stack.kube, namespace), 'nothing was written').toEqual(before);
    return error;
  };

  it.each([
    ['no body at all', ''],
    ['a body cut in the middle', '{"name":"planted-value'],
    ['something after the object', '{} {}'],
    ['single quotes', "{'name':'planted-value'}"],
    ['a trailing comma', '{"name":"planted-value",}'],
    ['NaN', '{"name":NaN}'],
    ['a raw control character in a string', '{"name":"planted-value\u0000"}'],
  ])('malformed JSON, %s, answers 400', async (_what, body) => {
    expect(await refused(400, () => send(body))).toBe('The request body must be valid JSON');
  });

  it.each([
    ['null', 'null'],
    ['an array', '[{"name":"planted-value"}]'],
    ['a string', '"planted-value"'],
    ['a number', '1e9'],
  ])('JSON that is no object, %s, answers 400', async (_what, body) => {
    expect(await refused(400, () => send(body))).toBe('The request body must be a JSON object');
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a truncated character', [0xe2, 0x82]],
    ['a byte of no encoding', [0xff]],
  ])('invalid UTF-8, %s, answers 400', async (_what, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"name":"planted-value'),
      Buffer.from(bytes),
      Buffer.from('"}'),
    ]);
    expect(await refused(400, () => send(body))).toBe('The request body must be valid UTF-8');
  });

  it('a byte order mark before the JSON answers 400', async () => {
    expect(await refused(400, () => send(`\ufeff${goodBody(below)}`))).toBe(
      'The request body must be valid JSON',
    );
  });

  it('UTF-16 answers 400, or 415 when it says so', async () => {
    const body = Buffer.from(goodBody(below), 'utf16le');
    await refused(400, () => send(body));
    await refused(415, () => send(body, { 'content-type': 'application/json; charset=utf-16' }));
  });

  it.each([
    ['100,000 arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 objects in a field', `{"data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`],
    ['100,000 arrays in an unknown field', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a million brackets never closed', '['.repeat(1_000_000)],
    ['65 levels in a field', `{"data":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['66,667 empty objects', `[${'{},'.repeat(66_667)}{}]`],
    ['100,001 numbers twice', `{"a":[${'1,'.repeat(100_001)}1],"b":[${'1,'.repeat(100_001)}1]}`],
    ['100,000 fields', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ])('a structure over the limit, %s, answers 413', async (_what, body) => {
    expect(await refused(413, () => send(body))).toBe(
      'The JSON of the request body must be at most 64 levels deep, with at most 200,000 structural characters and 3,000,000 escapes',
    );
  });

  it('64 levels, and 200,000 structural characters, are parsed', async () => {
    for (const body of [`${'['.repeat(64)}${']'.repeat(64)}`, `[${'1,'.repeat(199_998)}1]`])
      expect(await refused(400, () => send(body))).toBe('The request body must be a JSON object');
  });

  it('a structure over the limit answers 413 while the rest is still on its way', async () => {
    const body = [Buffer.from('['.repeat(65)), ...blanks(4 * LIMIT)];
    const headers = { ...JSON_TYPE, cookie, 'transfer-encoding': 'chunked' };
    const answer = await rawRequest(stack.service.url, { method, path: path(), headers, body });
    expect(answer.status).toBe(413);
    expect(answer.sent).toBeLessThan(LIMIT);
  });

  it.each([
    ['none', undefined],
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a form with files', 'multipart/form-data; boundary=x'],
    ['a patch', 'application/merge-patch+json'],
    ['something with JSON at its end', 'application/vnd.api+json'],
    ['something that begins like JSON', 'application/jsonp'],
    ['two of them', 'text/plain, application/json'],
    ['Latin-1', 'application/json; charset=iso-8859-1'],
    ['a parameter without a value', 'application/json; charset'],
    ['a quote that does not end', 'application/json; charset="utf-8'],
    ['over 200 characters', `application/json; profile=${'x'.repeat(200)}`],
    ['a charset behind blanks', `application/json; charset=${' '.repeat(7_500)}""b`],
  ])('another content type, %s, answers 415', async (_what, type) => {
    const headers = type === undefined ? { 'content-type': '' } : { 'content-type': type };
    expect(await refused(415, () => send(goodBody(below), headers))).toContain('application/json');
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x-unknown'])(
    'a compressed body, %s, answers 415',
    async (encoding) => {
      const body = gzipSync(goodBody(below));
      await refused(415, () => send(body, { ...JSON_TYPE, 'content-encoding': encoding }));
    },
  );

  it('an announced length over 16 MiB answers 413 before the body is read', async () => {
    expectCutOff(await upload(0, { 'content-length': String(LIMIT + 1) }));
    expectCutOff(await upload(LIMIT + 1, { 'content-length': String(LIMIT + 1) }));
  });

  it('a chunked stream over 16 MiB answers 413 and is not read on', async () => {
    const answer = await upload(4 * LIMIT, { 'transfer-encoding': 'chunked' });
    expectCutOff(answer);
    expect(answer.sent).toBeGreaterThan(LIMIT);
    expect(answer.sent).toBeLessThan(2 * LIMIT);
  });

  it('a body that ends before its announced length changes nothing', async () => {
    const before = await stateOf(stack.kube, namespace);
    const headers = { ...JSON_TYPE, cookie, 'content-length': '1000' };
    const body = [Buffer.from(goodBody(below))];
    await expect(
      rawRequest(stack.service.url, { method, path: path(), headers, body, abort: true }),
    ).rejects.toThrow();
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  function upload(bytes: number, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
    const allHeaders = { ...JSON_TYPE, cookie, ...headers };
    return rawRequest(stack.service.url, { method, path: path(), headers: allHeaders, body: blanks(bytes) });
  }

  function expectCutOff(answer: RawAnswer): void {
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      413,
      { error: 'The request body must be at most 16 MiB' },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

describe('what passes', () => {
  it.each([
    ['with the charset', 'application/json; charset=utf-8'],
    ['with the charset in quotes and capitals', 'Application/JSON;charset="UTF-8"'],
    ['with a semicolon at the end', 'application/json;'],
  ])('application/json %s', async (what, type) => {
    const name = what.replaceAll(' ', '-');
    const answer = await stack.admin.send('POST', secretsPath(namespace), {
      body: `{"name":"${name}"}`,
      headers: { 'content-type': type },
    });
    expect(secretOf(answer, 201).name).toBe(name);
  });

  it('an envelope of exactly 16 MiB, announced or chunked', async () => {
    for (const [name, framing] of [
      ['announced', { 'content-length': String(LIMIT) }],
      ['chunked', { 'transfer-encoding': 'chunked' }],
    ] as const) {
      const json = Buffer.from(`{"name":"${name}"}`);
      const headers = { ...JSON_TYPE, cookie, ...framing };
      const body = [json, ...blanks(LIMIT - json.byteLength)];
      const answer = await rawRequest(stack.service.url, {
        method: 'POST',
        path: secretsPath(namespace),
        headers,
        body,
      });
      expect(answer.status, answer.text).toBe(201);
    }
  });

  it('a field name that is escaped', async () => {
    const answer = await stack.admin.send('POST', secretsPath(namespace), {
      body: '{"n\\u0061me":"escaped-field"}',
      headers: JSON_TYPE,
    });
    expect(secretOf(answer, 201).name).toBe('escaped-field');
  });
});

function* blanks(bytes: number): Generator<Uint8Array> {
  const chunk = Buffer.alloc(65_536, ' ');
  for (let left = bytes; left > 0; left -= chunk.byteLength)
    yield chunk.subarray(0, Math.min(left, chunk.byteLength));
}
