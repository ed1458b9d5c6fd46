import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../src/errors/service-error.ts';
import {
  checkCreate,
  checkRestore,
  checkUpdate,
  type CreateRequest,
  type UpdateRequest,
} from '../../../src/secrets/input.ts';

const create = (overrides: Partial<CreateRequest> = {}) =>
  checkCreate({
    name: 'db',
    type: undefined,
    data: undefined,
    stringData: undefined,
    description: undefined,
    allowedGroups: undefined,
    allowedUsers: undefined,
    ...overrides,
  });

const update = (overrides: Partial<UpdateRequest> = {}) =>
  checkUpdate({
    resourceVersion: '1',
    data: undefined,
    description: undefined,
    allowedGroups: undefined,
    allowedUsers: undefined,
    recoverCounter: false,
    ...overrides,
  });

const map = (values: Record<string, string>) => new Map(Object.entries(values));
const texts = (data: ReadonlyMap<string, string> | undefined) => data && Object.fromEntries(data);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isServiceError(error, 'invalidRequest')) return error.message;
    throw error;
  }
  throw new Error('the input was taken');
}

describe('a create request', () => {
  it('needs no more than a name', () => {
    expect(create()).toEqual({
      name: 'db',
      type: 'Opaque',
      values: { texts: new Map(), binary: new Map() },
      description: undefined,
      allowedGroups: [],
      allowedUsers: [],
    });
  });

  it('of an empty type is Opaque, and any other type stays as given', () => {
    expect(create({ type: '' }).type).toBe('Opaque');
    for (const type of ['opaque', ' ', 'platform.io/tls', 'custom type!', 'x'.repeat(300)]) {
      expect(create({ type }).type).toBe(type);
    }
  });

  it('merges stringData over data', () => {
    const { values } = create({ data: map({ a: '1', b: '2' }), stringData: map({ b: '3', c: '' }) });
    expect(texts(values.texts)).toEqual({ a: '1', b: '3', c: '' });
  });

  it('checks values that stringData would win over, too', () => {
    const values = { data: map({ a: '\0' }), stringData: map({ a: 'fine' }) };
    expect(refusal(() => create(values))).toBe('data: values must not contain binary control characters');
  });

  it('stores text as UTF-8, byte for byte', () => {
    const value = '\ufeffé\r\n\t🔑\ufffd';
    const { values } = create({ data: new Map([['__proto__', value]]) });
    expect(Buffer.from(values.texts.get('__proto__') ?? []).equals(Buffer.from(value))).toBe(true);
  });

  it('trims the entries of access rules', () => {
    expect(create({ allowedGroups: [' a '], allowedUsers: ['U@x '] })).toMatchObject({
      allowedGroups: ['a'],
      allowedUsers: ['U@x'],
    });
  });

  it.each<[what: string, overrides: Partial<CreateRequest>, message: RegExp]>([
    ['a bad name', { name: 'A' }, /^name must be a DNS subdomain/],
    ['no name', { name: '' }, /^name must be a DNS subdomain/],
    ['a type with a lone surrogate', { type: 'a\udc00' }, /^type must be valid Unicode$/],
    ['a type with a tab', { type: 'a\tb' }, /^type must not contain control characters$/],
    ['a type of two lines', { type: 'a\r\nb' }, /^type must not contain control characters$/],
    [
      'a type with a control beyond ASCII',
      { type: 'a\u0085b' },
      /^type must not contain control characters$/,
    ],
    ['a description with a lone surrogate', { description: '\ud800' }, /^description must be valid Unicode$/],
    ['a bad key in data', { data: map({ 'a/b': 'x' }) }, /^data: keys must be 1 to 253/],
    ['a bad key in stringData', { stringData: map({ '..': 'x' }) }, /^stringData: keys must be 1 to 253/],
    ['a lone surrogate in data', { data: map({ a: 'x\ud800' }) }, /^data: values must be valid Unicode$/],
    [
      'a reversed surrogate pair',
      { data: map({ a: '\udd11\ud83d' }) },
      /^data: values must be valid Unicode$/,
    ],
    ['a control in data', { data: map({ a: '\x7f' }) }, /^data: values must not contain binary control/],
    ['a control in stringData', { stringData: map({ a: '\x1b[0m' }) }, /^stringData: values must not/],
    ['too many groups', { allowedGroups: Array<string>(257).fill('a') }, /^allowedGroups must have at most/],
    ['a blank user', { allowedUsers: [' '] }, /^Each entry of allowedUsers must not be empty or blank$/],
    [
      'a comma in a group',
      { allowedGroups: ['a,b'] },
      /^Each entry of allowedGroups must not contain a comma$/,
    ],
  ])('with %s is refused by rule', (_what, overrides, message) => {
    expect(refusal(() => create(overrides))).toMatch(message);
  });

  it('is refused without repeating what was sent', () => {
    const planted = 'planted-4711';
    const attempts: readonly Partial<CreateRequest>[] = [
      { name: `${planted}!` },
      { type: `${planted}\ud800` },
      { description: `${planted}\ud800` },
      { data: map({ [`${planted}/`]: 'x' }) },
      { data: map({ a: `${planted}\0` }) },
      { data: map({ a: `${planted}\ud800` }) },
      { allowedUsers: [`${planted},`] },
    ];
    for (const attempt of attempts) expect(refusal(() => create(attempt))).not.toContain(planted);
  });
});

describe('an update request', () => {
  it('leaves undefined what it does not name', () => {
    expect(update()).toEqual({
      data: undefined,
      description: undefined,
      allowedGroups: undefined,
      allowedUsers: undefined,
    });
  });

  it('distinguishes an empty map and empty lists from absent ones', () => {
    expect(update({ data: new Map(), description: '', allowedGroups: [], allowedUsers: [] })).toEqual({
      values: { texts: new Map(), binary: new Map(), remove: [], replacesAll: true },
      description: '',
      allowedGroups: [],
      allowedUsers: [],
    });
  });

  it.each(['', ' ', '\t\n'])('needs a resourceVersion that is not blank: %j', (resourceVersion) => {
    expect(refusal(() => update({ resourceVersion }))).toBe('resourceVersion must not be blank');
    expect(
      refusal(() => {
        checkRestore({ resourceVersion, version: 1 });
      }),
    ).toBe('resourceVersion must not be blank');
  });

  it.each([
    ['a lone surrogate', '1\ud800', 'be valid Unicode'],
    ['a control character', '1\0', 'not contain binary control characters'],
  ])('refuses a revision with %s', (_what, revision, rule) => {
    expect(refusal(() => update({ resourceVersion: revision }))).toBe(`resourceVersion must ${rule}`);
    const ofSource = refusal(() => {
      checkRestore({ resourceVersion: '1', version: 1, sourceResourceVersion: revision });
    });
    expect(ofSource).toBe(`sourceResourceVersion must ${rule}`);
  });

  it('takes any opaque resourceVersion', () => {
    for (const resourceVersion of ['0', '1', 'abc', '18446744073709551616', ' 1']) {
      expect(() => update({ resourceVersion })).not.toThrow();
    }
  });

  it.each<[what: string, overrides: Partial<UpdateRequest>]>([
    ['a bad key', { data: map({ '': 'x' }) }],
    ['a control', { data: map({ a: '\0' }) }],
    ['a lone surrogate', { data: map({ a: '\ud800' }) }],
    ['a bad description', { description: '\udfff' }],
    ['a bad group', { allowedGroups: [''] }],
    ['a bad user', { allowedUsers: ['x'.repeat(257)] }],
  ])('with %s is refused', (_what, overrides) => {
    expect(refusal(() => update(overrides))).not.toBe('');
  });
});
