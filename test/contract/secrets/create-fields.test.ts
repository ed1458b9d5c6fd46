import { describe, expect, it } from 'vitest';
import { createsIn, PLANTED } from './creates.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const here = openNamespaceFixture();
const { annotationsOf, create, created, refused } = createsIn(here);

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
    [
      'the name of a snapshot',
      { name: 'a.v2.0123456789abcdef' },
      /^name must not end like .* a snapshot: "\.v"/,
    ],
    ['such a name with a zero', { name: 'a.b.v007.0123456789abcdef' }, /^name must not end like/],
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
  const stored = annotation(field === 'allowedGroups' ? 'allowed-groups' : 'allowed-users');

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
    ...['\0', '\x1b', '\x7f', '\x85', '\x9b', 'a\tb', 'a\nb'].map((text): [string, unknown] => [
      `an entry with ${JSON.stringify(text)}`,
      ['a', `${PLANTED}${text}x`],
    ]),
  ])('%s answers 400 before any write, without echoing', async (_what, entries) => {
    expect(await refused(400, () => create({ [field]: entries }))).toContain(field);
  });

  it('256 entries of 256 bytes are taken, and stored in order', async () => {
    const entries = Array.from({ length: 256 }, (_, index) => `${index}-`.padEnd(256, 'x'));
    const secret = await created({ [field]: entries });
    expect(secret).toMatchObject({ [field]: entries });
    expect((await annotationsOf(secret.name))[stored]).toBe(entries.join(','));
  });

  it('entries are trimmed; internal whitespace, case, order and duplicates stay', async () => {
    const secret = await created({ [field]: ['  b  c ', 'B', 'a', 'a', 'ä'.repeat(128)] });
    expect(secret).toMatchObject({ [field]: ['b  c', 'B', 'a', 'a', 'ä'.repeat(128)] });
    expect((await annotationsOf(secret.name))[stored]).toBe(`b  c,B,a,a,${'ä'.repeat(128)}`);
  });

  it('an empty array stores an empty annotation', async () => {
    const { name } = await created({ [field]: [] });
    expect((await annotationsOf(name))[stored]).toBe('');
  });
});
