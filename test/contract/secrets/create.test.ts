import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const MIB = 1_048_576;
const ANNOTATION_LIMIT = 262_144;
/** In every value that is refused; never to be seen in an answer. */
const PLANTED = 'planted-value';

let stack: Stack;
let namespace: string;
let path: string;
/** Where large Secrets go, so that comparing the state of `namespace` stays quick. */
let spacious: string;
let next = 0;

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
  path = secretsPath(namespace);
  spacious = await stack.namespace();
});
afterAll(() => stack.close());

const freshName = () => `s${++next}`;
const create = (fields: object, place = namespace) =>
  stack.admin.post(secretsPath(place), { name: freshName(), ...fields });
const created = async (fields: object, place = namespace) => secretOf(await create(fields, place), 201);
const annotationsOf = async (name: string) =>
  (await stack.kube.getSecret(namespace, name))?.metadata.annotations ?? {};

/** Sends raw JSON text, for what `JSON.stringify` would not write. */
const sendJson = (body: string, place = path) =>
  stack.admin.send('POST', place, { body, headers: { 'content-type': 'application/json' } });

async function refused(status: number, send: () => Promise<Parameters<typeof errorOf>[0]>): Promise<string> {
  const before = await stateOf(stack.kube, namespace);
  const error = errorOf(await send(), status);
  expect(error).not.toContain(PLANTED);
  expect(await stateOf(stack.kube, namespace), 'nothing was written').toEqual(before);
  return error;
}

describe('what is stored', () => {
  it('create stamps managed-by, version 1 and the last edit, and answers the summary', async () => {
    const secret = await created({ data: { a: '1' } });
    expect(secret).toMatchObject({ managedByService: true, version: 1, keys: ['a'] });
    expect(await annotationsOf(secret.name)).toEqual({
      'service.io/managed-by': 'service',
      'service.io/version': '1',
      'service.io/allowed-groups': '',
      'service.io/allowed-users': '',
      'service.io/last-modified-by': 'admin@example.com',
      'service.io/last-modified-at': secret.lastModifiedAt,
    });
  });

  it('a body with a name alone makes an empty Opaque Secret', async () => {
    const { name } = await created({});
    const native = await stack.kube.getSecret(namespace, name);
    expect([native?.type, native?.data ?? {}, native?.immutable]).toEqual(['Opaque', {}, undefined]);
  });

  it('an empty type defaults to Opaque', async () => {
    expect((await created({ type: '' })).type).toBe('Opaque');
  });

  it('values are plain text, not base64, and reach the cluster as their UTF-8 bytes', async () => {
    const { name } = await created({
      data: { plain: 'aGVsbG8=', unicode: 'ä€😀\ufeff\ufffd', empty: '', lines: 'a\r\n\tb' },
    });
    const native = await stack.kube.getSecret(namespace, name);
    const texts = Object.entries(native?.data ?? {}).map(([key, value]) => [
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
    const { data } = secretOf(await stack.admin.get(secretsPath(namespace, name)));
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
    const answer = await stack.admin.post(secretsPath(`no-${namespace}`), { name: 'a' });
    expect(errorOf(answer, 404)).toBe('Namespace not found');
  });

  it('of a field that is given twice the last one counts, as JSON parsers read it', async () => {
    const name = freshName();
    const secret = secretOf(await sendJson(`{"name":"lost","name":"${name}","data":{"a":"1","a":"2"}}`), 201);
    expect(secret.name).toBe(name);
    expect(secretOf(await stack.admin.get(secretsPath(namespace, name))).data).toEqual({ a: '2' });
  });
});

describe('invalid fields answer 400, naming field and rule and never a value, before any write', () => {
  const binary = [...Array.from({ length: 9 }, (_, code) => code), 0x0b, 0x0c, 0x0e, 0x1f, 0x7f];
  const cases: readonly (readonly [what: string, fields: object, names: RegExp])[] = [
    ['no name', { name: undefined }, /^name is required/],
    ['a name that is no string', { name: 7 }, /^name /],
    ['an empty name', { name: '' }, /^name must be a DNS subdomain/],
    ['an uppercase name', { name: 'Name' }, /^name must be/],
    ['a name with an underscore', { name: 'a_b' }, /^name must be/],
    ['a name that begins with a dash', { name: '-a' }, /^name must be/],
    ['a name that ends with a dot', { name: 'a.' }, /^name must be/],
    ['a name with two dots in a row', { name: 'a..b' }, /^name must be/],
    ['a name of 254 characters', { name: 'x'.repeat(254) }, /^name must be/],
    ['a name with a look-alike letter', { name: 'nаme' }, /^name must be/],
    ['a name with a trailing line break', { name: 'name\n' }, /^name must be/],
    ['a type that is no string', { type: { [PLANTED]: 1 } }, /^type /],
    ['a type of null', { type: null }, /^type /],
    ['data that is an array', { data: [PLANTED] }, /^data /],
    ['data that is null', { data: null }, /^data /],
    ['data that is a string', { data: PLANTED }, /^data /],
    ['a value that is a number', { data: { a: 1 } }, /^data /],
    ['a value that is null', { data: { a: null } }, /^data /],
    ['a value that is an object', { data: { a: { b: PLANTED } } }, /^data /],
    [
      'a value under __proto__ that is an object',
      { data: JSON.parse('{"__proto__":{"a":"b"}}') as object },
      /^data /,
    ],
    ['stringData that is an array', { stringData: [] }, /^stringData /],
    ['an empty key', { data: { '': PLANTED } }, /^data: keys must be/],
    ['a key with a blank', { data: { 'a b': PLANTED } }, /^data: keys must be/],
    ['a key with a slash', { data: { 'a/b': PLANTED } }, /^data: keys must be/],
    ['a key with a letter that is not ASCII', { data: { ä: PLANTED } }, /^data: keys must be/],
    ['the key "."', { data: { '.': PLANTED } }, /^data: keys must be/],
    ['the key ".."', { data: { '..': PLANTED } }, /^data: keys must be/],
    ['a key that begins with ".."', { data: { '..a': PLANTED } }, /^data: keys must be/],
    ['a key of 254 characters', { data: { ['x'.repeat(254)]: PLANTED } }, /^data: keys must be/],
    ['a key with a trailing line break', { data: { 'a\n': PLANTED } }, /^data: keys must be/],
    ['an invalid key in stringData', { stringData: { 'a b': PLANTED } }, /^stringData: keys must be/],
    [
      'a lone surrogate in a value',
      { data: { a: `${PLANTED}\ud800` } },
      /^data: values must be valid Unicode/,
    ],
    [
      'a reversed surrogate pair',
      { data: { a: `${PLANTED}\udc00\ud800` } },
      /^data: values must be valid Unicode/,
    ],
    ['a lone surrogate in a key', { data: { '\udfff': PLANTED } }, /^data: keys must be/],
    ['a lone surrogate in stringData', { stringData: { a: '\ud800' } }, /^stringData: values must be/],
    [
      'a lone surrogate in the description',
      { description: `${PLANTED}\ud800` },
      /^description must be valid Unicode/,
    ],
    ['a lone surrogate in the type', { type: `${PLANTED}\ud800` }, /^type must be valid Unicode/],
    ...binary.map((code) => {
      const value = `${PLANTED}${String.fromCharCode(code)}`;
      return [
        `the control character ${code} in a value`,
        { data: { a: value } },
        /^data: values must not contain binary/,
      ] as const;
    }),
    [
      'a control character in stringData',
      { stringData: { a: '\u0000' } },
      /^stringData: values must not contain binary/,
    ],
    [
      'an invalid value that stringData would cover',
      { data: { a: '\u0000' }, stringData: { a: 'b' } },
      /^data: values/,
    ],
    ['a description that is no string', { description: [PLANTED] }, /^description /],
    ['a description of null', { description: null }, /^description /],
    ['binaryData', { binaryData: { a: PLANTED } }, /^binaryData is read-only/],
    ['binaryData of null', { binaryData: null }, /^binaryData is read-only/],
    ['an unknown field', { labels: { a: PLANTED } }, /^Unknown field labels/],
    ['the field __proto__', JSON.parse('{"__proto__":{"name":"a"}}') as object, /^Unknown field __proto__/],
    ['the field constructor', { constructor: PLANTED }, /^Unknown field constructor/],
    ['an unknown field whose name may be a value', { [`${PLANTED} x`]: 1 }, /has an unknown field/],
    ['resourceVersion, which is for updates', { resourceVersion: '1' }, /^Unknown field resourceVersion/],
    ['recoverCounter, which is for updates', { recoverCounter: true }, /^Unknown field recoverCounter/],
    ['immutable', { immutable: true }, /^Unknown field immutable/],
  ];

  it.each(cases)('%s', async (_what, fields, names) => {
    expect(await refused(400, () => create(fields))).toMatch(names);
  });
});

describe.each(['allowedGroups', 'allowedUsers'])('the entries of %s', (field) => {
  const annotation = field === 'allowedGroups' ? 'service.io/allowed-groups' : 'service.io/allowed-users';

  it.each<[string, unknown]>([
    ['no array', PLANTED],
    ['null', null],
    ['an entry that is no string', ['a', 7]],
    ['257 entries', Array.from({ length: 257 }, (_, index) => `${PLANTED}${index}`)],
    ['an entry of 257 bytes', ['a'.repeat(257)]],
    ['an entry of 129 characters and 258 bytes', ['ä'.repeat(129)]],
    ['an entry of 257 bytes with its surrounding whitespace', [`${'a'.repeat(255)}  `]],
    ['an entry with a comma', [`${PLANTED},b`]],
    ['an empty entry', ['a', '']],
    ['an entry of blanks', [' \t ']],
    ['an entry of Unicode blanks', ['\u3000\u00a0\ufeff']],
    ['an entry with a lone surrogate', [`${PLANTED}\ud800`]],
  ])('%s answers 400 before any write, without echoing', async (_what, entries) => {
    expect(await refused(400, () => create({ [field]: entries }))).toContain(field);
  });

  it('256 entries of 256 bytes are taken, and stored in order', async () => {
    const entries = Array.from({ length: 256 }, (_, index) => `${index}-`.padEnd(256, 'x'));
    const secret = await created({ [field]: entries });
    expect(secret).toMatchObject({ [field]: entries });
    expect((await annotationsOf(secret.name))[annotation]).toBe(entries.join(','));
  });

  it('entries are trimmed; internal whitespace, case, order and duplicates stay', async () => {
    const secret = await created({ [field]: ['  b  c ', 'B', 'a', 'a', 'ä'.repeat(128)] });
    expect(secret).toMatchObject({ [field]: ['b  c', 'B', 'a', 'a', 'ä'.repeat(128)] });
    expect((await annotationsOf(secret.name))[annotation]).toBe(`b  c,B,a,a,${'ä'.repeat(128)}`);
  });

  it('an empty array stores an empty annotation', async () => {
    const { name } = await created({ [field]: [] });
    expect((await annotationsOf(name))[annotation]).toBe('');
  });
});

describe('budgets', () => {
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
    const fits = await sendJson(`{"name":"escaped","data":{"a":"${escaped}"}}`, secretsPath(spacious));
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

  it('annotations may be exactly 256 KiB; one byte more answers 413 before any write', async () => {
    const annotations = await annotationsOf((await created({ description: 'x' })).name);
    const used = Buffer.byteLength(Object.entries(annotations).flat().join('')) - 1;
    await created({ description: 'x'.repeat(ANNOTATION_LIMIT - used) }, spacious);
    const error = await refused(413, () => create({ description: 'x'.repeat(ANNOTATION_LIMIT - used + 1) }));
    expect(error).toContain('262,144 bytes');
  });
});

describe('creation is gated by namespace rules only', () => {
  let gated: string;
  beforeAll(async () => {
    gated = await stack.namespace();
    await stack.kube.createSecret(
      gated,
      nativeSecret(
        'open-to-all',
        {},
        { metadata: { annotations: { 'service.io/allowed-groups': 'team-b' } } },
      ),
    );
  });
  const developerCreates = () =>
    stack.developerA.post(secretsPath(gated), { name: freshName(), allowedGroups: ['team-a'] });

  it('no policy, and a policy without rules, are open', async () => {
    secretOf(await developerCreates(), 201);
    await stack.kube.setPolicy(gated, { allowedGroups: '[]', somethingElse: 'not JSON' });
    secretOf(await developerCreates(), 201);
  });

  it('rules that name the group or the user let pass, emails in any case', async () => {
    await stack.kube.setPolicy(gated, { allowedGroups: '["team-a"]' });
    secretOf(await developerCreates(), 201);
    await stack.kube.setPolicy(gated, { allowedUsers: '["DEVELOPER-A@Example.com"]' });
    secretOf(await developerCreates(), 201);
  });

  it('rules that exclude answer 403, whatever access rules the new Secret would have', async () => {
    await stack.kube.setPolicy(gated, { allowedGroups: '["Team-A","team-b"]' });
    const before = await stateOf(stack.kube, gated);
    errorOf(await developerCreates(), 403);
    expect(await stateOf(stack.kube, gated)).toEqual(before);
  });

  it.each([
    ['no JSON', '[team-a'],
    ['no array', '{"team-a":true}'],
    ['with a blank entry', '["team-a"," "]'],
    ['with an entry that is no string', '["team-a",1]'],
  ])('a policy that is invalid, %s, answers 503; admins still create', async (_what, allowedGroups) => {
    await stack.kube.setPolicy(gated, { allowedGroups });
    const before = await stateOf(stack.kube, gated);
    expect(errorOf(await developerCreates(), 503)).toBe('Namespace access policy is unavailable');
    expect(await stateOf(stack.kube, gated)).toEqual(before);
    secretOf(await stack.admin.post(secretsPath(gated), { name: freshName() }), 201);
  });

  describe.runIf(ON_DEV_CLUSTER)('with a cluster that fails', () => {
    it('a policy that cannot be read answers 503, and nothing is written', async () => {
      const fault = stack.dev.faults.add({
        match: { verb: 'get', resource: 'configmaps', namespace: gated },
        action: { type: 'status', status: 403 },
      });
      const before = await stateOf(stack.kube, gated);
      expect(errorOf(await developerCreates(), 503)).toBe('Namespace access policy is unavailable');
      fault.remove();
      expect(await stateOf(stack.kube, gated)).toEqual(before);
    });
  });
});
